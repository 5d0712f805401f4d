// Stops the processes of a supervisor that was killed. Plain JavaScript without dependencies, to use little memory.
// Reads JSON lines from stdin: {pid, stage, signal, timeoutMs} to watch a process, {pid} to stop watching it. When stdin
// is closed, the supervisor has exited.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const watched = new Map();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const entry = read(line);
  if (entry.signal) watched.set(entry.pid, entry);
  else watched.delete(entry.pid);
}

const stages = [...new Set([...watched.values()].map(({ stage }) => stage))].sort((a, b) => b - a);
for (const stage of stages) {
  await Promise.all([...watched.values()].filter((entry) => entry.stage === stage).map(end));
}

function read(line) {
  try {
    return JSON.parse(line);
  } catch {
    // The supervisor was killed while it wrote this line.
    return {};
  }
}

async function end({ pid, signal, timeoutMs }) {
  kill(pid, signal);
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid) && Date.now() < deadline) await pause(25);
  kill(pid, 'SIGKILL');
  while (isAlive(pid)) await pause(25);
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // Zombies do not count.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
