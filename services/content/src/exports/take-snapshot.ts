import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '@lms/database/connect';
import { type SnapshotItem, toItem } from './item-files.ts';
import type { Export } from './repository.ts';
import { snapshotRepository } from './snapshot-repository.ts';

const bufferedCharacters = 256 * 1024;

/** The items of an export as of one moment, in a temporary file, so that they can be read more than once. */
export interface Snapshot {
  /** The name of the root; null for the whole curriculum. */
  rootName: string | null;
  bytes: number;
  mediaBytes: number;
  /** Each item after its parent. */
  items: () => AsyncGenerator<SnapshotItem>;
  close: () => Promise<void>;
}

type Root = Pick<Export, 'rootType' | 'rootId' | 'includeMedia'>;

/** Reads the items in one transaction. It ends before anything is sent, however slow the receiver is. */
export async function takeSnapshot(db: Db, root: Root, onBytes: (count: number) => void): Promise<Snapshot> {
  const file = await openUnlinked();
  try {
    const summary = await db.transaction((tx) => spool(tx, root, file), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    });
    return { ...summary, items: () => readItems(file, onBytes), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A file without a name: it disappears when it is closed, also if the process is killed. */
async function openUnlinked(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'lms-export-'));
  try {
    return await open(join(folder, 'items'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function spool(tx: Db, { rootType, rootId, includeMedia }: Root, file: FileHandle) {
  const repository = snapshotRepository(tx);
  let lines = '';
  let bytes = 0;
  let mediaBytes = 0;
  let topicNumber = 0;
  const flush = async () => {
    const text = lines;
    lines = '';
    bytes += Buffer.byteLength(text);
    await file.appendFile(text);
  };
  const add = async (item: SnapshotItem) => {
    lines += `${JSON.stringify(item)}\n`;
    for (const { version } of item.files) mediaBytes += version?.size ?? 0;
    if (lines.length > bufferedCharacters) await flush();
  };

  const root = rootType === null || rootId === null ? null : await repository.get(rootType, rootId);
  if (root) {
    for (const ancestor of await repository.listAncestors(root))
      await add({ ...toItem(ancestor, false, 0), partial: true });
    if (root.kind === 'topic') topicNumber += 1;
    await add(toItem(root, includeMedia, topicNumber));
  }
  if (root?.kind !== 'topic')
    for await (const node of repository.walk(root?.id ?? null)) {
      if (node.kind === 'topic') topicNumber += 1;
      await add(toItem(node, includeMedia, topicNumber));
    }
  await flush();
  return { rootName: root?.name ?? null, bytes, mediaBytes };
}

async function* readItems(file: FileHandle, onBytes: (count: number) => void): AsyncGenerator<SnapshotItem> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    onBytes(chunk.length);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // The lines were written by `spool`.
    for (const line of lines) yield JSON.parse(line);
  }
}
