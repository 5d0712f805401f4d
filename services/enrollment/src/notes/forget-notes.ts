import type { Db } from '@lms/database/connect';
import { notes } from './repository.ts';

/** Somebody was anonymized: what they wrote down goes for good. */
export const forgetNotes = (tx: Db, userId: string) => notes(tx).deleteByUser(userId);
