import { documentsLimit, entryBytes, exceedLimit } from '@lms/contracts/topic-documents';
import { error, type Issue } from '../curriculum/read-items.ts';
import type { TopicMedia } from './deps.ts';
import type { NewMedia } from './items-repository.ts';

// Media adds at least as much to an entry: its id, key, URL, checksum and others.
const addedByMedia = 'x'.repeat(340);

/**
 * An issue for each topic that would have too many documents while the import stores its own: a mirror deletes the others at the
 * end. Topics from before there was a limit may keep what they have.
 */
export function* checkDocuments(
  media: NewMedia[],
  topics: ReadonlyMap<string, Pick<TopicMedia, 'documents'>>,
): Generator<Issue> {
  const given = new Map<string, NewMedia[]>();
  for (const row of media)
    if (row.kind === 'document') given.set(row.topicId, [...(given.get(row.topicId) ?? []), row]);
  for (const [topicId, rows] of given) {
    const stored = topics.get(topicId)?.documents ?? [];
    const names = new Set(rows.map(({ entry }) => entry.name));
    const others = stored.filter(({ name }) => !names.has(String(name)));
    const after = [...others, ...rows.map(({ entry: { name, description } }) => ({ name, description, addedByMedia }))];
    const isMore = after.length > stored.length || entryBytes(after) > entryBytes(stored);
    if (isMore && exceedLimit(after))
      yield error(String(rows[0]?.location).replace(/\/0\/file$/, ''), 'TOO_MANY_DOCUMENTS', documentsLimit);
  }
}
