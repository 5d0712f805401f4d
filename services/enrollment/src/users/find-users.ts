import { isId } from '@lms/contracts/ids';
import { type FoundUser, FoundUsers, userLookupPath } from '@lms/contracts/internal/identity';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { users } from './repository.ts';

/**
 * Finds at most `maxLookup` users by id, in the local copy or else in identity, and as many by verified e-mail in identity,
 * and stores local copies of new ones. Unknown and deleted users are missing.
 */
export async function findUsers(
  db: Db,
  identity: Pick<ServiceClient, 'request'>,
  context: CallContext,
  { ids, emails }: { ids: string[]; emails: string[] },
) {
  const known = await users(db).list(ids.filter(isId));
  const byId = new Map<string, { id: string }>(
    known.filter(({ isDeleted }) => !isDeleted).map((user) => [user.id, user]),
  );
  const byEmail = new Map<string, { id: string }>();
  const isKnown = new Set(known.map(({ id }) => id));
  const unknownIds = ids.filter((id) => isId(id) && !isKnown.has(id));
  if (unknownIds.length === 0 && emails.length === 0) return { byId, byEmail };

  const body = { ids: unknownIds, emails };
  const found = await identity.request(FoundUsers, context, { method: 'POST', path: userLookupPath, body });
  const remote: FoundUser[] = [];
  for (const user of found.byId) {
    if (!user) continue;
    remote.push(user);
    byId.set(user.id, user);
  }
  found.byEmail.forEach((user, index) => {
    if (!user) return;
    remote.push(user);
    byEmail.set(emails[index] ?? '', user);
  });
  await users(db).insertAllIfAbsent(remote.filter(({ id }) => !isKnown.has(id)));
  return { byId, byEmail };
}
