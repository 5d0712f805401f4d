// Outlives a supervisor that was killed, and ends what it left. Plain JavaScript, so that it stays small.
// Reads lines of JSON from stdin: {pid, stage, signal, withinMs} to watch one, {pid} to forget it; the end of the pipe is the call to act.
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
    // Cut off in mid-write by the supervisor's end.
    return {};
  }
}

async function end({ pid, signal, withinMs }) {
  kill(pid, signal);
  const deadline = Date.now() + withinMs;
  while (isAlive(pid) && Date.now() < deadline) await pause(25);
  kill(pid, 'SIGKILL');
  while (isAlive(pid)) await pause(25);
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // Ended, but nobody has reaped it.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
