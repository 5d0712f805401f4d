import type { Access } from '@lms/contracts/internal/content';
import { publicAddress, toWire } from '@lms/contracts/wire';
import type { NodeBody } from './admin-schemas.ts';
import type { NodeFields } from './create-node.ts';
import type { AnyNode, AnyOutline } from './node-schemas.ts';
import type { Node } from './repository.ts';
import type { NodeUpdate } from './update-node.ts';
import { toVideo } from './video-state.ts';

/** Decides how much of a node the response shows. */
export interface View {
  access: Access;
  /** The mentor's e-mail is shown only if the caller may manage the subject. */
  canManage: (subject: Node) => boolean;
  /** Topic texts are shown whatever the access. */
  contentIsPublic: boolean;
  publicUrl: string;
}

/** Shows everything. */
export const fullView = (publicUrl: string): View => ({
  access: { granted: true, reason: null },
  canManage: () => true,
  contentIsPublic: true,
  publicUrl,
});

/** A node with its protected content, as far as the view shows it. */
export function toNode(node: Node, view: View): AnyNode {
  const outline = toOutline(node, view);
  return 'access' in outline ? { ...outline, ...toProtectedContent(node, view) } : outline;
}

/** A node without protected content, as in relation lists. */
export function toOutline(node: Node, view: View): AnyOutline {
  const { id, externalId, name, description, position, isActive, deletedAt, createdAt, updatedAt, imageUrl } = node;
  const outline = toWire({ id, externalId, name, description, position, isActive, deletedAt, createdAt, updatedAt });
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
  const showsContent = granted || contentIsPublic;
  return {
    content: showsContent ? (node.content ?? null) : null,
    ...(showsContent && node.contentOmitted && { contentOmitted: true }),
    video: granted && node.video ? toVideo(node.video) : null,
    videoUrl: granted && node.video ? toPublicUrl(node.video.videoUrl, publicUrl) : null,
    documents: granted ? node.documents.map((entry) => ({ ...entry, url: toPublicUrl(entry.url, publicUrl) })) : [],
  };
}

/** Stored links contain the public URL at the time of the upload; it may have changed since. */
const toPublicUrl = (url: string, publicUrl: string) => {
  const path = url.indexOf('/api/');
  return path < 0 ? url : publicAddress(publicUrl, url.slice(path));
};

/** Maps a request body to columns; the parent's id has another name for each kind. */
export function toNodeUpdate(body: Partial<NodeBody>): NodeUpdate {
  const { educationLevelId, gradeId, subjectId, mentorEmail, ...fields } = body;
  const parentId = educationLevelId ?? gradeId ?? subjectId;
  return { ...fields, ...(parentId !== undefined && { parentId }), ...mentorEmailOf(body) };
}

export function toNodeFields({ name, description = '', ...others }: NodeBody): NodeFields {
  return { parentId: null, ...toNodeUpdate(others), name, description };
}

/** E-mails are stored and compared in NFC and lower case, as in the identity service. */
export const normalizeEmail = (email: string | null) => email?.toLowerCase().normalize('NFC') ?? null;

/** A new `mentorId` without an e-mail clears the e-mail, which belongs to the former mentor. */
function mentorEmailOf({ mentorId, mentorEmail }: Partial<NodeBody>): { mentorEmail?: string | null } {
  if (mentorEmail !== undefined) return { mentorEmail: normalizeEmail(mentorEmail) };
  return mentorId === undefined ? {} : { mentorEmail: null };
}
