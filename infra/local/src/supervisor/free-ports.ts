import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

// Below every system's ephemeral range: a client that reconnects while a part is down must never be given its port.
const lowest = 20_000;
const highest = 32_000;

/** Distinct loopback ports that nobody listens on. */
export async function chooseFreePorts(count: number): Promise<number[]> {
  const held: { port: number; server: Server }[] = [];
  while (held.length < count) {
    const port = randomInt(lowest, highest);
    const server = await listen(port);
    if (server) held.push({ port, server });
  }
  await Promise.all(held.map(({ server }) => close(server)));
  return held.map(({ port }) => port);
}

export async function chooseFreePort(): Promise<number> {
  const [port] = await chooseFreePorts(1);
  if (port === undefined) throw new Error('No free port');
  return port;
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server) await close(server);
  return server !== undefined;
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
