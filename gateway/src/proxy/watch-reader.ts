import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Patience {
  /** When a reader who holds an answer up is looked at for the first time. */
  firstLookMs: number;
  /** How long a reader may take no byte. */
  stalledMs: number;
  /** The same where nobody tells whether bytes are taken. */
  blindMs: number;
}

/** Over a slow line, what lies in the kernel's buffer already may take minutes, in which the process sees no sign of life. */
export const patience: Patience = { firstLookMs: 5_000, stalledMs: 30_000, blindMs: 120_000 };

/** Breaks an answer off that its reader has stopped to take. @returns what ends the watch */
export function watchReader(outgoing: ServerResponse, { firstLookMs, stalledMs, blindMs }: Patience): () => void {
  const startedAt = performance.now();
  let isOver = false;
  let before: number | undefined;
  let timer = setTimeout(look, firstLookMs);

  async function look() {
    const held = outgoing.socket ? await countUnacknowledged(outgoing.socket) : undefined;
    if (isOver) return;
    const isStalled = held === undefined ? performance.now() - startedAt > blindMs : held === before;
    if (isStalled) return void outgoing.destroy();
    before = held;
    timer = setTimeout(look, stalledMs);
  }

  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

// https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const hexadecimal = (port: number | undefined) => (port ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** Bytes that a socket's peer has not acknowledged yet; undefined where the system does not tell. */
async function countUnacknowledged({ localPort, remotePort }: Socket): Promise<number | undefined> {
  const ends = `\\w+:${hexadecimal(localPort)} \\w+:${hexadecimal(remotePort)}`;
  const line = new RegExp(`^ *\\d+: ${ends} \\w\\w (\\w+):`, 'gm');
  const texts = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')));
  // Another peer with the same port only makes a stalled one last longer.
  const queues = texts.flatMap((text) => [...text.matchAll(line)].map(([, queue]) => Number.parseInt(queue ?? '', 16)));
  return queues.length > 0 ? queues.reduce((sum, queue) => sum + queue) : undefined;
}
