import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

// Below every system's ephemeral range: a client that reconnects while a part is down must never be given its port.
const lowest = 20_000;
const blockSize = 16;
const blocks = 750;
const mostLooks = 2_000;
const mostAttempts = 5;

export interface ClaimedPorts {
  ports: number[];
  /** Lets other processes have them. Otherwise they do when this one ends. */
  release(): void;
}

/**
 * Loopback ports that are free, and that no other process is given by this function meanwhile: they come in blocks,
 * and the process that listens on the first port of a block may use the others.
 */
export async function claimPorts(count: number): Promise<ClaimedPorts> {
  if (count >= blockSize) throw new Error(`${count} ports are more than a block has`);
  for (let look = 0; look < mostLooks; look += 1) {
    const first = lowest + randomInt(blocks) * blockSize;
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

export interface StartOnPorts<T> {
  start(ports: number[]): Promise<T>;
  /** Ends what a failed start has left. */
  undo(): Promise<void>;
  report(line: string): void;
}

/** Starts something on free ports, and once more on others if another program took one of them in between. */
export async function startOnFreePorts<T>(count: number, { start, undo, report }: StartOnPorts<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { ports, release } = await claimPorts(count);
    try {
      return await start(ports);
    } catch (error) {
      await undo();
      release();
      if (attempt === mostAttempts || (await areFree(ports))) throw error;
      report(`${error instanceof Error ? error.message : String(error)}; a port was taken meanwhile, trying others`);
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
