import { once } from 'node:events';
import { connect } from 'node:net';

/** Connects to a local server, sends `message` if there is one, and returns the first data received. */
export async function readReply(port: number, message = '', timeoutMs = 2_000): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    await once(socket, 'connect', { signal });
    if (message) socket.write(message);
    const [reply] = await once(socket, 'data', { signal });
    return String(reply);
  } finally {
    socket.destroy();
  }
}
