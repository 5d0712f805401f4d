import type { Db } from '@lms/database/connect';
import { deletions } from './deletions-repository.ts';

/** Somebody was anonymized: what they wrote goes, that they were enrolled stays. */
export const forgetMessages = (tx: Db, userId: string) => deletions(tx).deleteMessages(userId);
