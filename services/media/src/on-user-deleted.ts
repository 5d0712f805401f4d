import { userDeleted } from '@lms/contracts/events/identity';
import { on } from '@lms/events/event-handler';
import { uploadRepository } from './objects/resumable-uploads/repository.ts';

/** Ends the resumable uploads of a user who is gone; the reaper deletes them. What is attached to topics stays. */
export const onUserDeleted = on(userDeleted, async (tx, { data: { id } }) => {
  await uploadRepository(tx).terminateByUser(id);
});
