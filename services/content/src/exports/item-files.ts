import type { CurriculumItem } from '../curriculum/items.ts';
import type { SnapshotNode } from './snapshot-repository.ts';

/** A file of media and its path in the archive. */
export interface MediaFile {
  path: string;
  /** The address at the media service. */
  address: string;
  /** The file and its topic, for messages. */
  title: string;
  /** Undefined if it may change, or its size is not known. */
  version: { etag: string; size: number } | undefined;
}

/** An item of an export with the files that belong to it. */
export interface SnapshotItem extends CurriculumItem {
  id: string;
  files: MediaFile[];
}

/** Describes a node as an item. `topicNumber` names the folders of its files, so that paths do not depend on ids. */
export function toItem(node: SnapshotNode, includeMedia: boolean, topicNumber: number): SnapshotItem {
  const { id, kind, externalId, name, description, position, isActive } = node;
  const item = { id, kind, externalId, name, description, position, isActive, files: [] };
  switch (kind) {
    case 'level':
      return { ...item, imageUrl: node.imageUrl };
    case 'grade':
      return { ...item, imageUrl: node.imageUrl, level: node.level ?? 'primary' };
    case 'subject':
      return { ...item, imageUrl: node.imageUrl, mentorEmail: node.mentorEmail };
    case 'topic':
      return { ...item, content: node.content ?? '', ...(includeMedia && describeFiles(node, topicNumber)) };
  }
}

const versionOf = ({ checksum, size }: { checksum: string; size: number }) => ({
  etag: `"${checksum.replace('sha256:', '')}"`,
  size,
});

function describeFiles({ id, name: topicName, video, documents }: SnapshotNode, topicNumber: number) {
  const folder = String(topicNumber).padStart(5, '0');
  const files: MediaFile[] = [];
  const add = (path: string, address: string, version: MediaFile['version']) => {
    files.push({ path, address, version, title: `${path.slice(path.lastIndexOf('/') + 1)} of ${topicName} (${id})` });
    return path;
  };
  const videoAddress = `/api/education/topics/${id}/video`;
  return {
    video: video && {
      file: add(`videos/${folder}/${safeName(video.video.fileName)}`, videoAddress, versionOf(video.video)),
      captions: (video.video.captions ?? []).map(({ language, label, kind, default: isDefault }) => ({
        language,
        file: add(`captions/${folder}/${language}.vtt`, `${videoAddress}/captions/${language}`, undefined),
        label,
        kind,
        ...(isDefault && { default: true }),
      })),
    },
    documents: documents.map(({ key, name, description, fileName, ...document }, index) => ({
      file: add(
        `documents/${folder}/${String(index + 1).padStart(2, '0')}/${safeName(fileName)}`,
        `/api/s3/document/stream?key=${encodeURIComponent(key)}`,
        versionOf(document),
      ),
      name,
      description,
    })),
    files,
  };
}

// Media has removed slashes and control characters; these would still mean something else in a path.
const safeName = (fileName: string) =>
  /^\.{0,2}$/.test(fileName) ? 'file' : fileName.replaceAll('\\', '_').replaceAll('/', '_');
