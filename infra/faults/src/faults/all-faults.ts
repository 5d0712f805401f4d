import { diskFaults } from './disks.ts';
import type { Fault } from './fault.ts';
import { processFaults } from './processes.ts';
import { storeFaults } from './stores.ts';

/** A disk can only be filled if it is a small one. */
export const allFaults = (system: { hasSmallDisks: boolean }): Fault[] => [
  ...processFaults,
  ...storeFaults,
  ...(system.hasSmallDisks ? diskFaults : []),
];

/** A sequence of numbers from 0 to 1 that depends on the seed only (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
}

/** Two or three faults of different parts, to be injected at the same time. */
export function mix(faults: readonly Fault[], random: () => number): Fault[] {
  const chosen: Fault[] = [];
  for (const fault of shuffle(faults, random)) {
    if (chosen.every(({ part }) => part !== fault.part)) chosen.push(fault);
    if (chosen.length === (random() < 0.5 ? 2 : 3)) break;
  }
  return chosen;
}
