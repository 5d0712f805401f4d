import type { Access } from '@lms/contracts/internal/content';
import { toWire } from '@lms/contracts/wire';
import type { Node } from './repository.ts';
import type { AnyNode, AnyOutline } from './wire.ts';

/** What decides how much of a node an answer shows. */
export interface View {
  access: Access;
  /** True for subjects that the caller may manage: their mentor's address is shown. */
  mayManage: (subject: Node) => boolean;
  /** True when texts are for everybody, whatever the access. */
  contentIsPublic: boolean;
  publicUrl: string;
}

/** What an administrator sees: everything. */
export const fullView = (publicUrl: string): View => ({
  access: { granted: true, reason: null },
  mayManage: () => true,
  contentIsPublic: true,
  publicUrl,
});

/** A node as it travels: its outline for all, a topic's substance for the entitled. */
export function showNode(node: Node, view: View): AnyNode {
  const shown = showOutline(node, view);
  return 'access' in shown ? { ...shown, ...substance(node, view) } : shown;
}

/** A node without what is protected, as relation lists show it. */
export function showOutline(node: Node, view: View): AnyOutline {
  const { id, name, description, position, isActive, deletedAt, createdAt, updatedAt, imageUrl } = node;
  const outline = toWire({ id, name, description, position, isActive, deletedAt, createdAt, updatedAt });
  const parentId = node.parentId ?? '';
  switch (node.kind) {
    case 'level':
      return { ...outline, imageUrl };
    case 'grade':
      return { ...outline, imageUrl, level: node.level ?? 'primary', educationLevelId: parentId };
    case 'subject': {
      const mentorEmail = view.mayManage(node) ? node.mentorEmail : null;
      return { ...outline, imageUrl, gradeId: parentId, mentorId: node.mentorId, mentorEmail };
    }
    case 'topic':
      return {
        ...{ ...outline, subjectId: parentId, hasVideo: node.video !== null, documentCount: node.documents.length },
        access: view.access,
      };
  }
}

function substance(node: Node, { access, contentIsPublic, publicUrl }: View) {
  const { granted } = access;
  return {
    content: granted || contentIsPublic ? (node.content ?? null) : null,
    videoUrl: granted && node.video ? atPublicUrl(node.video.videoUrl, publicUrl) : null,
    documents: granted ? node.documents.map((entry) => ({ ...entry, url: atPublicUrl(entry.url, publicUrl) })) : [],
  };
}

/** Links were written under the public address of their day; they are told under today's. */
const atPublicUrl = (url: string, publicUrl: string) => {
  const path = url.indexOf('/api/');
  return path < 0 ? url : publicUrl.replace(/\/+$/, '') + url.slice(path);
};
