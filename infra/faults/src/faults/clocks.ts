import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { breaks, type Fault } from './fault.ts';

/** The library of the Debian package libfaketime. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

/** Restarts a process with a clock that is ahead or behind, and again with the right one. */
const skew = (part: string, seconds: number): Fault => ({
  name: `clock of ${part} ${seconds > 0 ? '+' : ''}${seconds} s`,
  part,
  breaks: breaks(part),
  async inject(system, durationMs) {
    const { environment, hold, release, untilReady } = system.part(part);
    const fake = {
      LD_PRELOAD: String(library),
      FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    await hold();
    Object.assign(environment, fake);
    release();
    await untilReady();
    await pause(durationMs);
    await hold();
    for (const name of Object.keys(fake)) delete environment[name];
    release();
    await untilReady();
    return undefined;
  },
});

const parts = ['identity', 'content', 'media', 'media-worker', 'enrollment', 'gateway', 'second-gateway'];
export const clockFaults: Fault[] = library ? parts.flatMap((part) => [skew(part, 60), skew(part, -60)]) : [];
export const missingForClocks = library ? [] : ['libfaketime (apt-get install libfaketime)'];
