import { documentRemoved, documentUploaded } from '@lms/contracts/events/media';
import type { DocumentEntry } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';

export const appendDocumentUploaded = (tx: Db, topicId: string, document: DocumentEntry, cause: Cause) =>
  appendEvent(tx, documentUploaded, { aggregateId: document.id, data: { ...document, topicId }, cause });

export const appendDocumentRemoved = (tx: Db, topicId: string, document: DocumentEntry, cause: Cause) =>
  appendEvent(tx, documentRemoved, { aggregateId: document.id, data: { ...document, topicId }, cause });
