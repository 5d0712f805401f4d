import { PreconditionFailed } from '@lms/service/problems';
import type { Node } from './repository.ts';

/** The strong tag of what administrators read: another one after every change. */
export const etagOf = ({ id, version }: Pick<Node, 'id' | 'version'>) => `"${id}.${version}"`;

/** Makes the check of `If-Match` (RFC 9110): one of the tags named, compared strongly, or any with `*`. */
export const createIfMatchCheck = (ifMatch: string | undefined) => (node: Node) => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(node))) throw new PreconditionFailed();
};
