import { userCreated, userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import { type Listener, on } from '@lms/events/consume';
import { people } from './repository.ts';

/** Keeps names and e-mails current. */
export const onUserChanged: Listener[] = [userCreated, userUpdated, userDeleted, userRoleChanged].map((event) =>
  on(event, (tx, { type, data, version }) => {
    const { id, email, firstName, lastName } = data;
    const isDeleted = type === userDeleted.type || data.identityProviderId === null;
    return people(tx).hear({ id, email, firstName, lastName, isDeleted, version });
  }),
);
