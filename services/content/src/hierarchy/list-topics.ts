import type { Db } from '@lms/database/connect';
import { type LiveParent, lists, type NodeQuery } from './list-repository.ts';
import type { Node } from './repository.ts';

export interface TopicList {
  topics: Node[];
  total: number;
  /** The topics still had the versions that were found. */
  isAsFound: boolean;
}

/**
 * Lists the topics of a subject whose total and versions were found before. If the topics have changed meanwhile, the total
 * is read again with them, as of one moment.
 * @throws NOT_FOUND if the subject is no longer live
 */
export async function listTopics(
  db: Db,
  { parent: { id }, total, versions }: LiveParent,
  query: NodeQuery,
  withContent: boolean,
): Promise<TopicList> {
  const read = (given: Db): Promise<Node[]> =>
    withContent ? lists(given).listLiveWithContent(id, query) : lists(given).listLive(id, query);
  const topics = await read(db);
  if (versionsOf(topics) === versions) return { topics, total, isAsFound: true };
  return db.transaction(
    async (tx) => {
      const current = await lists(tx).getLiveParent('subject', id, query);
      return { topics: await read(tx), total: current.total, isAsFound: false };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** As in `LiveParent`. */
const versionsOf = (rows: Node[]) => rows.map(({ id, version }) => `${id}.${version}`).join(',');
