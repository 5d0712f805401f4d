import { Readable } from 'node:stream';
import { Agent, request } from 'undici';

const boundary = 'bench-boundary';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n\0\0\0\x18ftypisom\0\0\0\0isomavc1`,
  'latin1',
);
const signatureLength = 24;
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const block = Buffer.alloc(1024 * 1024, 'lms');
const dispatcher = new Agent({ connections: 200, headersTimeout: 0, bodyTimeout: 0 });

export interface Target {
  uploadUrl: string;
  url: string;
  headers: () => Record<string, string>;
}

/** The form with a video of this many bytes. @throws at `abortAt` */
async function* form(bytes: number, abortAt: number) {
  yield head;
  for (let left = bytes - signatureLength; left > 0; left -= block.length) {
    if (bytes - left >= abortAt) throw new Error('aborted');
    yield block.subarray(0, left);
  }
  yield tail;
}

/** @param abortAt after how many bytes the connection is closed @returns seconds */
export async function upload({ uploadUrl, headers }: Target, bytes: number, abortAt = bytes): Promise<number> {
  const since = performance.now();
  const length = head.length + bytes - signatureLength + tail.length;
  const { statusCode, body } = await request(uploadUrl, {
    ...{ method: 'PUT', dispatcher, body: Readable.from(form(bytes, abortAt)) },
    headers: {
      ...headers(),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`upload returned ${statusCode}`);
  return (performance.now() - since) / 1_000;
}

export async function openDownload({ url, headers }: Target, range?: string): Promise<Readable> {
  const { statusCode, body } = await request(url, { dispatcher, headers: { ...headers(), ...(range && { range }) } });
  if (![200, 206].includes(statusCode)) throw new Error(`download returned ${statusCode}`);
  return body;
}

/** @returns seconds */
export async function download(target: Target, bytes: number, range?: string): Promise<number> {
  const since = performance.now();
  let received = 0;
  for await (const chunk of await openDownload(target, range)) received += chunk.length;
  if (received !== bytes) throw new Error(`${received} bytes instead of ${bytes}`);
  return (performance.now() - since) / 1_000;
}
