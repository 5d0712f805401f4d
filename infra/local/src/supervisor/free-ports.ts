import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';

// Below the ephemeral port range of every system: otherwise an outgoing connection could take the port of a process that is being restarted.
const lowestPort = 20_000;
const highestPort = 32_000;

/**
 * Finds free loopback ports that no other process gets from this function as long as this one runs: it keeps the UDP ports of
 * the same numbers.
 */
export async function claimPorts(count: number): Promise<{ ports: number[] }> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(lowestPort, highestPort);
    if ((await claim(port)) && (await isFree(port))) ports.push(port);
  }
  return { ports };
}

async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  const claimed = await listens(socket);
  if (!claimed) socket.close();
  return claimed;
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  return (await listens(server)) && once(server.close(), 'close').then(() => true);
}

const listens = (socket: EventEmitter): Promise<boolean> =>
  once(socket, 'listening').then(
    () => true,
    () => false,
  );
