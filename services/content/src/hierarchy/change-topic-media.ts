import type { DocumentEntry, TopicVideo, TopicVideoChange } from '@lms/contracts/internal/content';
import { exceedLimit } from '@lms/contracts/topic-documents';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { DocumentNotFound, tooManyDocuments, VideoNotFound } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { type Node, nodes, type SubjectAccess } from './repository.ts';
import { toChangedVideo } from './video-state.ts';

export interface TopicMediaOptions {
  cause: Cause;
  /** Called in the transaction; throws FORBIDDEN if the caller may not manage the subject. */
  authorize: (subject: SubjectAccess) => void;
}

/** Sets the video of a topic and returns the previous one. Setting the same video again changes nothing. */
export const setVideo = (db: Db, topicId: string, video: TopicVideo, options: TopicMediaOptions) =>
  changeTopic(db, topicId, options, async (topic, save) => {
    if (topic.video?.video.id === video.video.id) return { topicId, previous: null };
    await save({ video });
    return { topicId, previous: topic.video };
  });

/** Removes the video of a topic and returns it. */
export const removeVideo = (db: Db, topicId: string, options: TopicMediaOptions) =>
  changeTopic(db, topicId, options, async (topic, save) => {
    if (topic.video === null) throw new VideoNotFound();
    await save({ video: null });
    return { topicId, previous: topic.video };
  });

/** Changes the state of the current video of a topic. */
export const changeVideoState = (
  db: Db,
  topicId: string,
  { isBackground, ...change }: TopicVideoChange,
  { cause, authorize }: TopicMediaOptions,
) =>
  changeTopic(db, topicId, { cause: isBackground ? {} : cause, authorize }, async (topic, save) => {
    const video = toChangedVideo(topic.video, change);
    if (video) await save({ video });
    return { topicId, changed: video !== undefined };
  });

/**
 * Appends a document to a topic. Appending the same document again changes nothing.
 * @param options.isImport an import stores a document before it removes the one that it replaces, so it may exceed the limit by one
 */
export const appendDocument = (
  db: Db,
  topicId: string,
  entry: DocumentEntry,
  { isImport, ...options }: TopicMediaOptions & { isImport: boolean },
) =>
  changeTopic(db, topicId, options, async ({ documents }, save) => {
    if (documents.some(({ id }) => id === entry.id)) return entry;
    const after = [...documents, entry];
    if (exceedLimit(isImport ? documents : after)) throw tooManyDocuments(documents.length);
    await save({ documents: after });
    return entry;
  });

/** Removes a document from a topic and returns it. */
export const removeDocument = (db: Db, topicId: string, documentId: string, options: TopicMediaOptions) =>
  changeTopic(db, topicId, options, async (topic, save) => {
    const entry = topic.documents.find(({ id }) => id === documentId);
    if (!entry) throw new DocumentNotFound();
    await save({ documents: topic.documents.filter(({ id }) => id !== documentId) });
    return entry;
  });

type Save = (change: Partial<Pick<Node, 'video' | 'documents'>>) => Promise<void>;

async function changeTopic<T>(
  db: Db,
  topicId: string,
  { cause, authorize }: TopicMediaOptions,
  change: (topic: Node, save: Save) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const repository = nodes(tx);
    await repository.lockStructureShared();
    const topic = await repository.getForUpdate('topic', topicId);
    const { subject } = await repository.getTopicAndSubject(topicId);
    authorize(subject);
    return change(topic, async (changed) => {
      const after = await repository.update(topicId, changed);
      await appendNodeEvents(tx, 'updated', [{ before: topic, after }], cause);
    });
  });
}
