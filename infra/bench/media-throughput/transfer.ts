import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';

const boundary = 'bench-boundary';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n`;
const tail = `\r\n--${boundary}--\r\n`;
const block = Buffer.alloc(1024 * 1024, 'lms');
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

export interface Target {
  uploadUrl: string;
  url: string;
  headers: Record<string, string>;
}

export function openUpload({ uploadUrl, headers }: Target, bytes: number): ClientRequest {
  const length = head.length + bytes + tail.length;
  const type = `multipart/form-data; boundary=${boundary}`;
  const sending = request(uploadUrl, {
    method: 'PUT',
    agent,
    headers: { ...headers, 'content-type': type, 'content-length': length },
  });
  sending.write(head);
  return sending;
}

/** @throws if the response arrives before all bytes were sent */
export async function sendBytes(sending: ClientRequest, bytes: number) {
  const refused = once(sending, 'response').then(([{ statusCode }]) =>
    Promise.reject(new Error(`status ${statusCode}`)),
  );
  refused.catch(() => undefined);
  const first = Buffer.from(block);
  first.write('\0\0\0\x18ftypisom\0\0\0\0isomavc1', 0, 'latin1');
  for (let sent = 0; sent < bytes; sent += block.length) {
    const piece = (sent === 0 ? first : block).subarray(0, bytes - sent);
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), refused]);
  }
}

/** @returns seconds */
export async function upload(target: Target, bytes: number): Promise<number> {
  const since = performance.now();
  const sending = openUpload(target, bytes);
  const responded: Promise<IncomingMessage[]> = once(sending, 'response');
  await sendBytes(sending, bytes);
  sending.end(tail);
  const [response] = await responded;
  if (response?.statusCode !== 200) throw new Error(`upload returned ${response?.statusCode}`);
  await once(response.resume(), 'end');
  return (performance.now() - since) / 1_000;
}

export async function openDownload({ url, headers }: Target, range?: string): Promise<IncomingMessage> {
  const sending = request(url, { agent, headers: { ...headers, ...(range && { range }) } });
  const responded: Promise<IncomingMessage[]> = once(sending, 'response');
  sending.end();
  const [response] = await responded;
  if (!response || ![200, 206].includes(response.statusCode ?? 0))
    throw new Error(`download returned ${response?.statusCode}`);
  return response;
}

/** @returns seconds */
export async function download(target: Target, bytes: number, range?: string): Promise<number> {
  const since = performance.now();
  const response = await openDownload(target, range);
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  await once(response, 'end');
  if (received !== bytes) throw new Error(`${received} bytes instead of ${bytes}`);
  return (performance.now() - since) / 1_000;
}
