import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { waitFor } from './wait-for.ts';

// A crashing test runs no teardown.
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A real server for one test. */
export interface TestServer {
  url: string;
  port: number;
  /** Where it stores its data. */
  directory: string;
  /** The current process; it changes after `restart`. */
  process: () => ChildProcess;
  /** Kills the process with SIGKILL and waits for its exit. */
  kill: () => Promise<void>;
  /** Starts it again on the same port with the same data. */
  restart: () => Promise<void>;
}

/** Starts nats-server with JetStream and its own data directory. */
export const startNats = (t: Test) =>
  startServer(t, 'nats', 'nats-server', (port, directory) => [
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    '-js',
    '-sd',
    directory,
  ]);

export const startRedis = (t: Test) =>
  startServer(t, 'redis', 'redis-server', (port, directory) => [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    directory,
    '--appendonly',
    'yes',
    '--save',
    '',
  ]);

const startTimeoutMs = 60_000;
const connectTimeoutMs = 5_000;

async function startServer(
  t: Test,
  scheme: string,
  command: string,
  args: (port: number, directory: string) => string[],
): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), `lms-${scheme}-`));
  let port = await freePort();
  // Once in thousands of starts, a server does not accept connections.
  let child = await launch().catch(async () => {
    port = await freePort();
    return launch();
  });

  async function launch() {
    const launched = spawn(command, args(port, directory), { stdio: 'ignore' });
    running.add(launched);
    launched.once('exit', () => running.delete(launched));
    await once(launched, 'spawn').catch(({ message }) => {
      throw new Error(`${command} cannot be started (${message}); npm test installs what is missing`);
    });
    await waitFor(
      () => {
        if (launched.exitCode !== null) throw new Error(`${command} ended at once; is port ${port} taken?`);
        return accepts(port);
      },
      { until: `${command} on port ${port}`, timeoutMs: startTimeoutMs },
    ).catch(async (error: unknown) => {
      await end(launched);
      throw error;
    });
    return launched;
  }
  const kill = () => end(child);
  t.teardown(async () => {
    await kill();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    directory,
    process: () => child,
    kill,
    async restart() {
      child = await launch();
    },
  };
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/**
 * Returns an unused loopback port, which no other process gets from this function as long as this one runs: it keeps the
 * UDP port of the same number.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // Below the ports of the supervisor, and those of outgoing connections.
    const port = randomInt(10_000, 20_000);
    const claim = createSocket('udp4').unref();
    const server = createServer();
    try {
      claim.bind({ port, address: '127.0.0.1', exclusive: true });
      await once(claim, 'listening');
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      return port;
    } catch {
      claim.close();
    }
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(connectTimeoutMs, () => {
      socket.destroy();
      resolve(false);
    });
  });
}
