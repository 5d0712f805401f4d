import { once } from 'node:events';
import { connect } from 'node:net';

const timeoutMs = 2_000;

/** What a loopback server says first, to `message` or unasked. */
export async function exchange(port: number, message = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    await once(socket, 'connect', { signal });
    if (message) socket.write(message);
    const [answer] = await once(socket, 'data', { signal });
    return String(answer);
  } finally {
    socket.destroy();
  }
}
