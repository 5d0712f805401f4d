// Stops the processes of a supervisor that was killed. It imports few modules, to use little memory.
// Reads JSON lines from stdin: {pid, stage, signal, timeoutMs} to watch a process, {pid} to stop watching it. When stdin
// is closed, the supervisor has exited.
import { createInterface } from 'node:readline';
import { identify, signalProcess, waitUntil } from './process-identity.ts';
import type { Watched } from './watchdog.ts';

const watched = new Map<number, Watched>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  // The supervisor was killed while it wrote this line.
  if (!line.endsWith('}')) break;
  const entry = JSON.parse(line);
  if (entry.signal) watched.set(entry.pid, entry);
  else watched.delete(entry.pid);
}

const stages = [...new Set([...watched.values()].map(({ stage }) => stage))].sort((a, b) => b - a);
for (const stage of stages) await Promise.all([...watched.values()].filter((entry) => entry.stage === stage).map(end));

async function end({ pid, signal, timeoutMs }: Watched) {
  const hasExited = () => identify(pid) === undefined;
  signalProcess(pid, signal);
  if (await waitUntil(hasExited, timeoutMs)) return;
  signalProcess(pid, 'SIGKILL');
  await waitUntil(hasExited, Number.POSITIVE_INFINITY);
}
