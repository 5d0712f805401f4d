import { curriculumItems } from '@lms/contracts/curriculum';
import { createCheck } from '@lms/service/validation';
import type { ReadItem } from '../curriculum/read-items.ts';
import type { NewMedia } from './items-repository.ts';
import type { ImportMode } from './table.ts';

const check = createCheck(curriculumItems.topic);

interface TopicFile {
  kind: 'video' | 'captions' | 'document';
  file: string;
  /** Below the topic. */
  pointer: string;
  entry: Record<string, unknown>;
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The files of a topic in the order in which they are stored: captions need the video. Empty if its fields are not valid. */
export function topicFiles(fields: ReadItem['fields']): TopicFile[] {
  if (!check.isValid(fields)) return [];
  const { video, documents = [] } = fields;
  const files: TopicFile[] = [];
  if (video) files.push({ kind: 'video', file: video.file, pointer: '/video/file', entry: { file: video.file } });
  for (const [index, captions] of (video?.captions ?? []).entries())
    files.push({ kind: 'captions', file: captions.file, pointer: `/video/captions/${index}/file`, entry: captions });
  for (const [index, { file, name = baseName(file), description = '' }] of documents.entries())
    files.push({ kind: 'document', file, pointer: `/documents/${index}/file`, entry: { file, name, description } });
  return files;
}

/** What an import does with the files of a topic. */
export function mediaOf(
  topicId: string,
  { location, fields, isNew }: Pick<ReadItem, 'location' | 'fields'> & { isNew: boolean },
  mode: ImportMode,
): NewMedia[] {
  const at = (pointer: string) => (location.startsWith('/') ? location + pointer : location);
  const rows: NewMedia[] = topicFiles(fields).map(({ kind, pointer, entry }) => ({
    ...{ topicId, location: at(pointer), kind, entry },
  }));
  if (fields.video === null && !isNew) rows.push({ topicId, location: at('/video'), kind: 'remove-video', entry: {} });
  if (mode === 'mirror' && !isNew && rows[0]?.kind === 'video' && Array.isArray(Object(fields.video).captions)) {
    const languages = rows.flatMap(({ kind, entry }) => (kind === 'captions' ? [entry.language] : []));
    const prune = { topicId, location: at('/video/captions'), kind: 'prune-captions' as const, entry: { languages } };
    rows.splice(1 + languages.length, 0, prune);
  }
  if (mode === 'mirror' && !isNew && Array.isArray(fields.documents)) {
    const names = rows.flatMap(({ kind, entry }) => (kind === 'document' ? [entry.name] : []));
    rows.push({ topicId, location: at('/documents'), kind: 'prune-documents', entry: { names } });
  }
  return rows;
}
