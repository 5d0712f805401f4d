import type { DocumentEntry, TopicVideo } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { DocumentNotFound, VideoNotFound } from './errors.ts';
import { type Node, nodes } from './repository.ts';
import { tell } from './tell.ts';

export interface Keeping {
  cause: Cause;
  /** Refuses callers who may not manage the subject, looked at within the transaction. */
  authorize: (subject: Node) => void;
}

/** Sets a topic's video and tells what it was before; a repetition of the same changes nothing. */
export const setVideo = (db: Db, topicId: string, video: TopicVideo, keeping: Keeping) =>
  changeTopic(db, topicId, keeping, async (topic, save) => {
    if (topic.video?.video.id === video.video.id) return { topicId, previous: null };
    await save({ video });
    return { topicId, previous: topic.video };
  });

/** Takes a topic's video off and tells what it was. */
export const removeVideo = (db: Db, topicId: string, keeping: Keeping) =>
  changeTopic(db, topicId, keeping, async (topic, save) => {
    if (topic.video === null) throw new VideoNotFound();
    await save({ video: null });
    return { topicId, previous: topic.video };
  });

/** Appends an entry to a topic's documents; a repetition of the same changes nothing. */
export const appendDocument = (db: Db, topicId: string, entry: DocumentEntry, keeping: Keeping) =>
  changeTopic(db, topicId, keeping, async (topic, save) => {
    if (!topic.documents.some(({ id }) => id === entry.id)) await save({ documents: [...topic.documents, entry] });
    return entry;
  });

/** Takes an entry off a topic's documents. */
export const removeDocument = (db: Db, topicId: string, documentId: string, keeping: Keeping) =>
  changeTopic(db, topicId, keeping, async (topic, save) => {
    const entry = topic.documents.find(({ id }) => id === documentId);
    if (!entry) throw new DocumentNotFound();
    await save({ documents: topic.documents.filter(({ id }) => id !== documentId) });
    return entry;
  });

type Save = (change: Partial<Pick<Node, 'video' | 'documents'>>) => Promise<void>;

async function changeTopic<T>(
  db: Db,
  topicId: string,
  { cause, authorize }: Keeping,
  change: (topic: Node, save: Save) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const room = nodes(tx);
    await room.holdStructure();
    const topic = await room.getForUpdate('topic', topicId);
    const { subject } = await room.getTopicAndSubject(topicId);
    authorize(subject);
    return change(topic, async (changed) => {
      const after = await room.update(topicId, changed);
      await tell(tx, 'updated', [{ before: topic, after }], cause);
    });
  });
}
