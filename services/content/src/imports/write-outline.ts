import type { Db } from '@lms/database/connect';
import { kindNames } from '../hierarchy/table.ts';
import type { Attempt } from './attempt.ts';
import { checkDocuments } from './check-documents.ts';
import { type Issues, maxIssues } from './collect-issues.ts';
import type { ImportDeps, Outline, TopicMedia } from './deps.ts';
import { causeOfJob } from './events.ts';
import { importItems, manyItems, type NewMedia } from './items-repository.ts';
import { matching } from './matching-repository.ts';
import { type Import, type ImportCounts, noCounts } from './table.ts';
import { mediaOf } from './topic-files.ts';

/** Rolls the transaction back; the result is known. */
class NothingWritten extends Error {
  override name = 'NothingWritten';
  readonly counts: ImportCounts;
  constructor(counts: ImportCounts) {
    super('nothing is written');
    this.counts = counts;
  }
}

/**
 * Checks the items of an import against the existing ones and writes them, with their events, in one transaction. With issues,
 * and in a dry run, nothing is written.
 */
export async function writeOutline(
  deps: ImportDeps,
  job: Import,
  attempt: Attempt,
  issues: Issues,
): Promise<ImportCounts> {
  const { db } = deps.database;
  try {
    return await deps.outline.inWriteSlot(() =>
      db.transaction(async (tx) => {
        await deps.outline.lockStructure(tx);
        const counts = await writeItems(deps, tx, job, attempt, issues);
        if (issues.hasErrors() || job.dryRun) throw new NothingWritten(counts);
        await importItems(tx, job.id).clear();
        // From here on the import is continued, not repeated.
        await attempt.update({ status: 'importing', counts, ...issues.result() }, tx);
        return counts;
      }),
    );
  } catch (error) {
    if (error instanceof NothingWritten) return error.counts;
    throw error;
  }
}

async function writeItems({ outline }: ImportDeps, tx: Db, job: Import, attempt: Attempt, issues: Issues) {
  const { id, mode } = job;
  const items = importItems(tx, id);
  const cause = causeOfJob(job);
  const match = matching(tx, id);
  const total = await items.count();
  await match.preferHashJoins(total > manyItems);
  await match.matchNodes();
  for (const issue of await match.check(mode, maxIssues)) issues.add(issue);
  if (issues.hasErrors()) return noCounts;

  const counts = { ...noCounts };
  if (mode === 'mirror')
    for (const { id: nodeId, kind } of await match.listDeletions())
      counts.deleted += await outline.deleteNode(tx, kind, nodeId, cause);

  const formerNames = await match.freeNames();
  await match.preferHashJoins(false);
  let written = 0;
  let mediaCount = 0;
  for (const kind of kindNames) {
    for (let after = 0; ; ) {
      const batch = await items.listBatch(kind, after);
      if (batch.length === 0) break;
      const nodes = batch.map(({ id: nodeId, isNew, parentId, fields, defaults }) => {
        const { partial: _partial, video: _video, documents: _documents, ...columns } = fields;
        const named = { ...(isNew && defaults), ...columns, name: String(fields.name) };
        return { id: nodeId, isNew, parentId, fields: named };
      });
      const result = await outline.writeNodes(tx, kind, nodes, { cause, formerNames });
      counts.created += result.created;
      counts.updated += result.updated;
      counts.unchanged += result.unchanged;
      const given = kind === 'topic' ? batch.flatMap((item) => mediaOf(item.id, item, mode)) : [];
      const topics = await listTopics(outline, tx, given);
      for (const issue of checkDocuments(given, topics)) issues.add(issue);
      const media = withoutEmptyRemovals(given, topics);
      await items.addMedia(mediaCount, media);
      mediaCount += media.length;
      if (job.dryRun) counts.media += media.filter((file) => !isRemoval(file)).length;
      written += batch.length;
      after = batch.at(-1)?.number ?? after;
      await attempt.reach(40 + (20 * written) / total);
    }
  }
  return counts;
}

/** The topics whose media decide what happens to those of the import. */
async function listTopics({ listTopicMedia }: Outline, tx: Db, media: NewMedia[]) {
  const ids = new Set(
    media.filter((file) => file.kind === 'document' || isRemoval(file)).map(({ topicId }) => topicId),
  );
  return ids.size === 0 ? new Map<string, TopicMedia>() : await listTopicMedia(tx, [...ids]);
}

const removals: NewMedia['kind'][] = ['remove-video', 'prune-captions', 'prune-documents'];
const isRemoval = ({ kind }: NewMedia) => removals.includes(kind);

/** Leaves out removals from topics that have nothing to remove: usually all of them. */
const withoutEmptyRemovals = (media: NewMedia[], topics: ReadonlyMap<string, TopicMedia>) =>
  media.filter((file) => {
    if (!isRemoval(file)) return true;
    const topic = topics.get(file.topicId);
    if (file.kind === 'remove-video') return topic?.video;
    return file.kind === 'prune-captions' ? topic?.video?.captions?.length : topic?.documents.length;
  });
