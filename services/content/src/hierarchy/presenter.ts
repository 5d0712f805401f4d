import type { Access } from '@lms/contracts/internal/content';
import { toWire } from '@lms/contracts/wire';
import type { AnyNode, AnyOutline } from './node-schemas.ts';
import type { Node } from './repository.ts';

/** What decides how much of a node an answer shows. */
export interface View {
  access: Access;
  /** True for subjects that the caller may manage: their mentor's address is shown. */
  canManage: (subject: Node) => boolean;
  /** True when texts are for everybody, whatever the access. */
  contentIsPublic: boolean;
  publicUrl: string;
}

/** What an administrator sees: everything. */
export const fullView = (publicUrl: string): View => ({
  access: { granted: true, reason: null },
  canManage: () => true,
  contentIsPublic: true,
  publicUrl,
});

/** A node as it travels: its outline for all, a topic's substance for the entitled. */
export function toNode(node: Node, view: View): AnyNode {
  const shown = toOutline(node, view);
  return 'access' in shown ? { ...shown, ...toProtectedContent(node, view) } : shown;
}

/** A node without what is protected, as relation lists show it. */
export function toOutline(node: Node, view: View): AnyOutline {
  const { id, name, description, position, isActive, deletedAt, createdAt, updatedAt, imageUrl } = node;
  const outline = toWire({ id, name, description, position, isActive, deletedAt, createdAt, updatedAt });
  const parentId = node.parentId ?? '';
  switch (node.kind) {
    case 'level':
      return { ...outline, imageUrl };
    case 'grade':
      return { ...outline, imageUrl, level: node.level ?? 'primary', educationLevelId: parentId };
    case 'subject': {
      const mentorEmail = view.canManage(node) ? node.mentorEmail : null;
      return { ...outline, imageUrl, gradeId: parentId, mentorId: node.mentorId, mentorEmail };
    }
    case 'topic':
      return {
        ...{ ...outline, subjectId: parentId, hasVideo: node.video !== null, documentCount: node.documents.length },
        access: view.access,
      };
  }
}

function toProtectedContent(node: Node, { access, contentIsPublic, publicUrl }: View) {
  const { granted } = access;
  return {
    content: granted || contentIsPublic ? (node.content ?? null) : null,
    videoUrl: granted && node.video ? toPublicUrl(node.video.videoUrl, publicUrl) : null,
    documents: granted ? node.documents.map((entry) => ({ ...entry, url: toPublicUrl(entry.url, publicUrl) })) : [],
  };
}

/** Links were written under the public address of their day; they are told under today's. */
const toPublicUrl = (url: string, publicUrl: string) => {
  const path = url.indexOf('/api/');
  return path < 0 ? url : publicUrl.replace(/\/+$/, '') + url.slice(path);
};
