import { setTimeout as pause } from 'node:timers/promises';
import { breaks, type Fault } from './fault.ts';

const services = ['identity', 'content', 'media', 'enrollment'];
const gateways = ['gateway', 'second-gateway'];
const clients = [...services, ...gateways];
const all = [...clients, 'media-worker', 'postgres', 'nats', 'redis', 'identity-provider'];

const kill = (part: string): Fault => ({
  name: `kill ${part}`,
  part,
  breaks: breaks(part),
  async inject(system) {
    const before = system.part(part).pid();
    system.part(part).kill();
    while (system.part(part).pid() === before) await pause(20);
    await system.part(part).untilReady();
    return undefined;
  },
});

const stop = (part: string): Fault => ({
  name: `stop ${part}`,
  part,
  breaks: breaks(part),
  async inject(system, durationMs) {
    await system.part(part).hold();
    await pause(durationMs);
    system.part(part).release();
    await system.part(part).untilReady();
    return undefined;
  },
});

const freeze = (part: string): Fault => ({
  name: `freeze ${part}`,
  part,
  breaks: breaks(part),
  async inject(system, durationMs) {
    system.part(part).freeze();
    await pause(durationMs);
    system.part(part).thaw();
    await system.part(part).untilReady();
    return undefined;
  },
});

/** Resets the connections to PostgreSQL, NATS and Redis ten times. */
const resetConnections = (part: string): Fault => ({
  name: `reset connections of ${part}`,
  part,
  breaks: gateways.includes(part) ? [] : breaks(part),
  async inject(system, durationMs) {
    for (let times = 0; times < 10; times += 1) {
      system.part(part).resetConnections();
      await pause(durationMs / 10);
    }
    await system.part(part).untilReady();
    return undefined;
  },
});

export const processFaults: Fault[] = [
  ...all.map(kill),
  ...all.map(freeze),
  ...['postgres', 'nats', 'redis'].map(stop),
  ...[...clients, 'media-worker'].map(resetConnections),
];
