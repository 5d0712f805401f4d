import type { Db } from '@lms/database/connect';
import type { Archive } from '../curriculum/archive.ts';
import type { OpenedFile } from '../curriculum/formats.ts';
import { error, isIssue, type ReadItem } from '../curriculum/read-items.ts';
import type { Issues } from './collect-issues.ts';
import { importItems, manyItems } from './items-repository.ts';
import { topicFiles } from './topic-files.ts';

const batchSize = 100;
const batchBytes = 250_000;
const maxItems = 500_000;

/** Reads all items of a file into the database, each checked for itself; in batches, so that memory does not grow with the file. */
export async function readFile(
  db: Db,
  importId: string,
  { archive, entries }: OpenedFile,
  issues: Issues,
  onBatch: () => Promise<unknown>,
) {
  const repository = importItems(db, importId);
  await repository.clear();
  let batch: ReadItem[] = [];
  let bytes = 0;
  let count = 0;
  const flush = async () => {
    await repository.insert(batch);
    [batch, bytes] = [[], 0];
    await onBatch();
  };
  for await (const entry of entries()) {
    if (isIssue(entry)) {
      issues.add(entry);
      continue;
    }
    count += 1;
    if (count > maxItems) {
      issues.add(error(entry.location, 'TOO_MANY_ITEMS', `A file has at most ${maxItems} items`));
      break;
    }
    checkFiles(entry, archive, issues);
    batch.push(entry);
    bytes += JSON.stringify([entry.fields, entry.defaults]).length;
    // After an error nothing is written, so only the checks go on.
    if (issues.hasErrors()) [batch, bytes] = [[], 0];
    if (batch.length >= batchSize || bytes >= batchBytes) await flush();
  }
  await flush();
  if (count > manyItems) await repository.analyze();
}

const videoExtensions = ['mp4', 'webm', 'ogg', 'mov', 'avi'];

/** The files that a topic names must be in the archive, and its video have an accepted extension. */
function checkFiles({ kind, fields, location }: ReadItem, archive: Archive | undefined, issues: Issues) {
  if (kind !== 'topic') return;
  for (const { kind: fileKind, file, pointer } of topicFiles(fields)) {
    const at = location.startsWith('/') ? location + pointer : location;
    const shown = file.slice(0, 200);
    if (!archive) issues.add(error(at, 'MISSING_FILE', `${shown}: files need an archive, a ZIP with curriculum.json`));
    else if (!archive.entries.has(file)) issues.add(error(at, 'MISSING_FILE', `${shown}: is not in the archive`));
    else if (archive.entries.get(file)?.size === 0) issues.add(error(at, 'EMPTY_FILE', `${shown}: is empty`));
    const extension = /\.([^./]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
    if (fileKind === 'video' && !videoExtensions.includes(extension))
      issues.add(error(at, 'UNSUPPORTED_FORMAT', `${shown}: the accepted formats are ${videoExtensions.join(', ')}`));
  }
}
