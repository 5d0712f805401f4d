import { connect } from 'node:net';

/** Sends bytes as they are and collects the response until the connection ends or has been idle for a moment. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { idleTimeoutMs = 300, timeoutMs = 5_000 } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      socket.setTimeout(idleTimeoutMs);
    });
    socket.setTimeout(timeoutMs);
    socket.on('timeout', done).on('end', done).on('close', done).on('error', reject);
  });
}

/** The status codes of the responses in this text. */
export const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
