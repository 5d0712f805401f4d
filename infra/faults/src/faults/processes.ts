import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../system/part.ts';
import { breaks, type Fault } from './fault.ts';

const services = ['identity', 'content', 'media', 'enrollment'];
const gateways = ['gateway', 'second-gateway'];
const clients = [...services, ...gateways];
const all = [...clients, 'media-worker', 'postgres', 'nats', 'redis', 'identity-provider'];

type Disturb = (part: Part, durationMs: number) => Promise<unknown>;

/** A fault of one process, which is over when the process is ready again. */
const disturb =
  (verb: string, work: Disturb, { breaksOf = breaks, suffix = '' } = {}) =>
  (name: string): Fault => ({
    name: `${verb} ${name}${suffix}`,
    part: name,
    breaks: breaksOf(name),
    async inject(system, durationMs) {
      const part = system.part(name);
      await work(part, durationMs);
      await part.untilReady();
    },
  });

const kill = disturb('kill', (part) => part.kill());

const stop = disturb('stop', (part, durationMs) => part.whileStopped(() => pause(durationMs)));

const freeze = disturb('freeze', async (part, durationMs) => {
  part.freeze();
  await pause(durationMs);
  part.thaw();
});

/** Resets the connections to PostgreSQL, NATS and Redis ten times. */
const resetConnections = disturb(
  'reset connections of',
  async (part, durationMs) => {
    for (let times = 0; times < 10; times += 1) {
      part.resetConnections();
      await pause(durationMs / 10);
    }
  },
  { breaksOf: (name) => (gateways.includes(name) ? [] : breaks(name)) },
);

/** The library of the Debian package libfaketime. */
const fakeClock = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
export const missingForClocks = fakeClock ? [] : ['libfaketime (apt-get install libfaketime)'];

/** Restarts a process with a clock that is ahead or behind, and again with the right one. */
const skewClock = (seconds: string) => {
  const fake = { LD_PRELOAD: String(fakeClock), FAKETIME: `${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  const work: Disturb = async ({ environment, whileStopped }, durationMs) => {
    await whileStopped(async () => Object.assign(environment, fake));
    await pause(durationMs);
    await whileStopped(async () => {
      for (const name of Object.keys(fake)) delete environment[name];
    });
  };
  return disturb('clock of', work, { suffix: ` ${seconds} s` });
};

export const processFaults: Fault[] = [
  ...all.map(kill),
  ...all.map(freeze),
  ...['postgres', 'nats', 'redis'].map(stop),
  ...[...clients, 'media-worker'].map(resetConnections),
  ...(fakeClock ? ['+60', '-60'] : []).map(skewClock).flatMap((skew) => [...clients, 'media-worker'].map(skew)),
];
