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
  (verb: string, work: Disturb, breaksOf = breaks) =>
  (name: string): Fault => ({
    name: `${verb} ${name}`,
    part: name,
    breaks: breaksOf(name),
    async inject(system, durationMs) {
      const part = system.part(name);
      await work(part, durationMs);
      await part.untilReady();
      return undefined;
    },
  });

const kill = disturb('kill', async (part) => {
  const before = part.pid();
  part.kill();
  while (part.pid() === before) await pause(20);
});

const stop = disturb('stop', async (part, durationMs) => {
  await part.hold();
  await pause(durationMs);
  part.release();
});

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
  (name) => (gateways.includes(name) ? [] : breaks(name)),
);

export const processFaults: Fault[] = [
  ...all.map(kill),
  ...all.map(freeze),
  ...['postgres', 'nats', 'redis'].map(stop),
  ...[...clients, 'media-worker'].map(resetConnections),
];
