import { randomBytes } from 'node:crypto';
import type { Kind } from './table.ts';

/** A name in storage that nobody can guess and that nothing sent by a client has a part in. */
export const createKey = (kind: Kind) => `${kind}-${randomBytes(20).toString('hex')}`;
