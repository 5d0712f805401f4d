import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

// Below the ephemeral port range of every system: otherwise an outgoing connection could take the port of a process that is being restarted.
const lowestPort = 20_000;
const blockSize = 16;
const blockCount = 750;
const maxTries = 2_000;
const maxAttempts = 5;

export interface ClaimedPorts {
  ports: number[];
  /** Makes the ports available to other processes, as the exit of this process does. */
  release(): void;
}

/**
 * Finds free loopback ports that no other process gets from this function at the same time: ports come in blocks, and
 * the process that listens on the first port of a block may use the others.
 */
export async function claimPorts(count: number): Promise<ClaimedPorts> {
  if (count >= blockSize) throw new Error(`${count} ports do not fit into a block of ${blockSize}`);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const first = lowestPort + randomInt(blockCount) * blockSize;
    const holder = await listen(first);
    if (!holder) continue;
    const ports = Array.from({ length: count }, (_, index) => first + 1 + index);
    if (await areFree(ports)) {
      holder.unref();
      return { ports, release: () => void holder.close() };
    }
    await close(holder);
  }
  throw new Error('No free ports');
}

/**
 * Calls `start` with free ports, and again with others if another program took one of them in the meantime. `reset` stops what a
 * failed start has left running.
 */
export async function startOnFreePorts<T>(
  count: number,
  start: (ports: number[]) => Promise<T>,
  { reset, report }: { reset(): Promise<void>; report(line: string): void },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { ports, release } = await claimPorts(count);
    try {
      return await start(ports);
    } catch (error) {
      await reset();
      release();
      if (attempt === maxAttempts || (await areFree(ports))) throw error;
      report(
        `${error instanceof Error ? error.message : String(error)}; another program took a port, trying other ports`,
      );
    }
  }
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server) await close(server);
  return server !== undefined;
}

async function areFree(ports: number[]): Promise<boolean> {
  return (await Promise.all(ports.map(isFree))).every(Boolean);
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
