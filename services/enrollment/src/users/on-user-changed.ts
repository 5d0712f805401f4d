import { type UserState, userCreated, userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { type EventHandler, on } from '@lms/events/consume';
import { users } from './repository.ts';

/** What the neighbour rooms do about it, in the transaction of the event. */
export interface UserHandlers {
  deleted: (tx: Db, userId: string) => Promise<unknown>;
  restored: (tx: Db, userId: string) => Promise<unknown>;
  anonymized: (tx: Db, userId: string) => Promise<unknown>;
}

/** Keeps names and e-mails current, and notices who goes and who comes back. */
export const onUserChanged = (handlers: UserHandlers): EventHandler[] =>
  [userCreated, userUpdated, userDeleted, userRoleChanged].map((event) =>
    on(event, async (tx, { type, data, version }) => {
      const { id, email, firstName, lastName } = data;
      const before = await users(tx).lock(id);
      if (before && before.version >= version) return;

      const wasDeleted = before?.isDeleted ?? false;
      const isDeleted = type === userDeleted.type || isUserDeleted(data, wasDeleted);
      await users(tx).upsert({ id, email, firstName, lastName, isDeleted, version });
      if (isDeleted && !wasDeleted) await handlers.deleted(tx, id);
      if (wasDeleted && !isDeleted) await handlers.restored(tx, id);
      if (data.identityProviderId === null) await handlers.anonymized(tx, id);
    }),
  );

// A deletion is told once; what is told of the same user afterwards looks like any inactive one.
const isUserDeleted = ({ identityProviderId, status }: UserState, wasDeleted: boolean) =>
  identityProviderId === null || (wasDeleted && status !== 'ACTIVE');
