import { anonymizedEmail, userDeleted } from '@lms/contracts/events/identity';
import { recordErasure } from '@lms/events/erasures';
import { on } from '@lms/events/event-handler';
import { uploadRepository } from './objects/resumable-uploads/repository.ts';

/**
 * Ends the resumable uploads of a user who is gone; the reaper deletes them. What is attached to topics stays. Deletes dead
 * letters about an anonymized user.
 */
export const onUserDeleted = on(userDeleted, async (tx, { data: { id, email, identifierHashes = [] } }) => {
  await uploadRepository(tx).terminateByUser(id);
  // The provider id of a closed account may be used again.
  if (email === anonymizedEmail(id)) await recordErasure(tx, { id, identifierHashes });
});
