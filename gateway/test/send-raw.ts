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

/** The number of responses that are complete, if each has a Content-Length or no body. */
function countComplete(text: string): number {
  const end = text.indexOf('\r\n\r\n') + 4;
  if (end < 4) return 0;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length < end + length ? 0 : 1 + countComplete(text.slice(end + length));
}

/** The status codes of the responses in this text. */
export const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
