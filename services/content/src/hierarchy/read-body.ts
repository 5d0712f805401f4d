import type { NodeFields } from './create-node.ts';
import type { NodeBody } from './schemas.ts';
import type { NodeUpdate } from './update-node.ts';

/** What a body says, in the terms of the tree: whatever the parent's field is called, it is the parent. */
export function toNodeUpdate(body: Partial<NodeBody>): NodeUpdate {
  const { educationLevelId, gradeId, subjectId, mentorEmail, ...own } = body;
  const parentId = educationLevelId ?? gradeId ?? subjectId;
  return { ...own, ...(parentId !== undefined && { parentId }), ...mentorEmailOf(body) };
}

export function toNodeFields({ name, description = '', ...others }: NodeBody): NodeFields {
  return { parentId: null, ...toNodeUpdate(others), name, description };
}

/** E-mails are compared, and stored, in NFC and lower case, as identity does. */
export const normalizeEmail = (email: string | null) => email?.toLowerCase().normalize('NFC') ?? null;

/** A mentor's address belongs to its mentor: named alone, another mentor has none. */
function mentorEmailOf({ mentorId, mentorEmail }: Partial<NodeBody>): { mentorEmail?: string | null } {
  if (mentorEmail !== undefined) return { mentorEmail: normalizeEmail(mentorEmail) };
  return mentorId === undefined ? {} : { mentorEmail: null };
}
