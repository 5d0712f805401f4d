import { PreconditionFailed } from '@lms/service/problems';
import type { Node } from './repository.ts';

/** The strong ETag of the administrators' responses; it changes with every update of the row. */
export const etagOf = ({ id, version }: Pick<Node, 'id' | 'version'>) => `"${id}.${version}"`;

/** Evaluates `If-Match` (RFC 9110): strong comparison with a list of tags, or `*` for any version. */
export const createIfMatchCheck = (ifMatch: string | undefined) => (node: Node) => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(node))) throw new PreconditionFailed();
};
