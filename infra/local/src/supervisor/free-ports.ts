import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the ephemeral port range of every system: otherwise an outgoing connection could take the port of a process that is being restarted.
const lowestPort = 20_000;
const blockSize = 16;
const blockCount = 750;
const maxTries = 2_000;

/**
 * Finds free loopback ports that no other process gets from this function at the same time: ports come in blocks, and
 * the process that listens on the first port of a block may use the others.
 */
export async function claimPorts(count: number) {
  if (count >= blockSize) throw new Error(`${count} ports do not fit into a block of ${blockSize}`);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const first = lowestPort + randomInt(blockCount) * blockSize;
    const holder = await listen(first);
    if (!holder) continue;
    const ports = Array.from({ length: count }, (_, index) => first + 1 + index);
    if (await areFree(ports)) {
      holder.unref();
      return {
        ports,
        /** Makes the ports available to other processes, as the exit of this process does. */
        release: () => void holder.close(),
      };
    }
    await once(holder.close(), 'close');
  }
  throw new Error('No free ports');
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server) await once(server.close(), 'close');
  return server !== undefined;
}

export async function areFree(ports: number[]): Promise<boolean> {
  return (await Promise.all(ports.map(isFree))).every(Boolean);
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
