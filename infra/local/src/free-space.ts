import { statfsSync } from 'node:fs';

// A new PostgreSQL cluster and the sample content take 150 MiB.
const leastFreeMiB = 300;

export class NotEnoughSpace extends Error {}

/** @throws NotEnoughSpace, because PostgreSQL and NATS fail in unclear ways on a full disk */
export function checkFreeSpace(directory: string, leastMiB = leastFreeMiB) {
  const { bavail, bsize } = statfsSync(directory);
  const freeMiB = Math.floor((bavail * bsize) / 1_024 ** 2);
  if (freeMiB >= leastMiB) return;
  throw new NotEnoughSpace(
    `Not enough disk space: ${freeMiB} MiB are free in ${directory}, ${leastMiB} MiB are needed`,
  );
}
