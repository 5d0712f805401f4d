import {
  type DeletedUserState,
  type UserState,
  userCreated,
  userDeleted,
  userRoleChanged,
  userUpdated,
} from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { type EventHandler, on } from '@lms/events/event-handler';
import { users } from './repository.ts';

/** What other features do when a user is deleted, restored or anonymized, in the transaction of the event. */
export interface UserHandlers {
  deleted: (tx: Db, userId: string) => Promise<unknown>;
  restored: (tx: Db, userId: string) => Promise<unknown>;
  anonymized: (tx: Db, userId: string, identifierHashes: string[]) => Promise<unknown>;
}

/** Updates the local copy of a user. */
export const onUserChanged = (handlers: UserHandlers): EventHandler[] =>
  [userCreated, userUpdated, userDeleted, userRoleChanged].map((event) =>
    on(event, async (tx, { type, data, version }) => {
      const { id, email, firstName, lastName, identifierHashes = [] }: DeletedUserState = data;
      const before = await users(tx).lock(id);
      if (before && before.version >= version) return;

      const wasDeleted = before?.isDeleted ?? false;
      const isDeleted = type === userDeleted.type || isStillDeleted(data, wasDeleted);
      await users(tx).upsert({ id, email, firstName, lastName, isDeleted, version });
      if (isDeleted && !wasDeleted) await handlers.deleted(tx, id);
      if (wasDeleted && !isDeleted) await handlers.restored(tx, id);
      if (data.identityProviderId === null) await handlers.anonymized(tx, id, identifierHashes);
    }),
  );

// Only `userDeleted` says that a user is deleted; in later events a deleted user looks like any inactive user.
const isStillDeleted = ({ identityProviderId, status }: UserState, wasDeleted: boolean) =>
  identityProviderId === null || (wasDeleted && status !== 'ACTIVE');
