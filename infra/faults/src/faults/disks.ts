import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { System } from '../system/start-system.ts';
import type { Fault } from './fault.ts';

const block = Buffer.alloc(256 * 1024);

interface Disk extends Pick<Fault, 'name' | 'part' | 'breaks'> {
  /** The folder in the data directory. */
  folder: string;
  /** Called again and again while the disk is full. */
  use?(system: System): Promise<unknown>;
  /** Called when there is space again. */
  recover?(system: System): Promise<unknown>;
}

/** Fills a disk, also with what is removed from it in the meantime. */
const fill = ({ name, part, breaks, folder, use, recover }: Disk): Fault => ({
  name: `fill ${name}`,
  part,
  breaks,
  async inject(system, durationMs) {
    const filler = join(system.directory, folder, 'filler');
    const file = await open(filler, 'w');
    try {
      let fullSince = Number.POSITIVE_INFINITY;
      while (Date.now() < fullSince + durationMs) {
        const code = await file.write(block).then(
          () => undefined,
          (error: NodeJS.ErrnoException) => error.code,
        );
        if (code === undefined) continue;
        if (code !== 'ENOSPC') throw new Error(`${filler} cannot be written: ${code}`);
        fullSince = Math.min(fullSince, Date.now());
        await use?.(system);
        await pause(50);
      }
    } finally {
      await file.close();
      await rm(filler);
    }
    await recover?.(system);
  },
});

/** A disk can only be filled if it is a small one. */
export const diskFaults: Fault[] = [
  fill({ name: 'storage', part: 'storage', breaks: ['media'], folder: 'disk' }),
  fill({
    ...{ name: 'PostgreSQL', part: 'postgres', breaks: ['postgres'], folder: 'postgres' },
    // It has allocated some files of its log in advance. Without more space, it ends when they are full.
    use: ({ sql }) =>
      sql('postgres')`select pg_logical_emit_message(true, 'fill', ''), pg_switch_wal()`.catch(() => undefined),
    recover: ({ part }) => part('postgres').untilReady(),
  }),
  fill({
    ...{ name: 'NATS', part: 'nats', breaks: [], folder: 'nats' },
    // A full disk can stop JetStream for good: then the server does not even end at SIGTERM.
    recover: ({ part }) => part('nats').whileStopped(async () => undefined),
  }),
];
