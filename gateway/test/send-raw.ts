import { connect } from 'node:net';

export interface RawOptions {
  /** How many responses are awaited. */
  responses?: number;
  /** How long the connection is idle after them. */
  idleTimeoutMs?: number;
  timeoutMs?: number;
}

/** Sends bytes as they are and collects the responses until the connection ends or is idle after them. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { responses = 1, idleTimeoutMs = 300, timeoutMs = 60_000 }: RawOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (countComplete(text) >= responses) socket.setTimeout(idleTimeoutMs);
    });
    socket.setTimeout(timeoutMs);
    // A connection may be reset after its response.
    socket.on('timeout', done).on('end', done).on('close', done);
    socket.on('error', (error) => (text ? done() : reject(error)));
  });
}

const lastChunk = '\r\n0\r\n\r\n';

/** The number of responses that are complete. Each is chunked, or has a Content-Length or no body. */
function countComplete(text: string): number {
  const bodyStart = text.indexOf('\r\n\r\n') + 4;
  if (bodyStart < 4) return 0;
  const head = text.slice(0, bodyStart);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const isChunked = /^transfer-encoding: chunked/im.test(head);
  const chunksEnd = text.indexOf(lastChunk, bodyStart - 2);
  if (isChunked && chunksEnd < 0) return 0;
  const end = isChunked ? chunksEnd + lastChunk.length : bodyStart + length;
  return text.length < end ? 0 : 1 + countComplete(text.slice(end));
}

/** The status codes of the responses in this text. */
export const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
