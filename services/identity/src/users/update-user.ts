import { userUpdated } from '@lms/contracts/events/identity';
import type { UserStatus } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { InvalidStatusChange, OwnStatus, UserDeleted } from './errors.ts';
import { appendUserEvent, changesBetween } from './events.ts';
import { type UserChange, type UserRow, type UserWithRoles, users } from './repository.ts';
import { requireAnotherAdmin } from './require-another-admin.ts';
import { type Names, normalizeNames } from './update-profile.ts';

/** The statuses that each status can change to. */
export const statusTransitions: Record<UserStatus, readonly UserStatus[]> = {
  ACTIVE: ['SUSPENDED', 'INACTIVE'],
  SUSPENDED: ['ACTIVE', 'INACTIVE'],
  INACTIVE: ['ACTIVE'],
};

export interface UserUpdate extends Names {
  status?: UserStatus;
  statusReason?: string | null;
  plan?: UserRow['plan'];
}

/** @throws UserNotFound, InvalidStatusChange, OwnStatus, UserDeleted, LastAdmin */
export function updateUser(
  db: Db,
  deps: UserDeps,
  userId: string,
  input: UserUpdate,
  cause: Cause,
): Promise<UserWithRoles> {
  return db.transaction(async (tx) => {
    await users(tx).lock(userId);
    const before = await users(tx).get(userId);
    const after = apply(before, input);
    const changes = changesBetween<UserChange>(before, after);
    if (Object.keys(changes).length === 0) return before;
    if (before.deletedAt || before.anonymizedAt) throw new UserDeleted({ details: { current: before.status } });
    if (changes.status) await checkStatusChange(tx, before, input.status ?? before.status, cause);
    const isRenamed = Boolean(changes.firstName ?? changes.lastName);
    await users(tx).update(before, { ...after, ...(isRenamed && { namesEditedAt: new Date() }) });
    await deps.recordChange(tx, { cause, action: 'user.updated', entity: 'user', entityId: userId, changes });
    return appendUserEvent(tx, userUpdated, userId, { changes, cause });
  });
}

function apply(
  before: UserWithRoles,
  { status = before.status, statusReason, plan = before.plan, ...names }: UserUpdate,
) {
  const isReactivated = status === 'ACTIVE' && before.status !== 'ACTIVE';
  const reason = statusReason === undefined ? (isReactivated ? null : before.statusReason) : statusReason || null;
  return { ...normalizeNames(names), status, statusReason: reason, plan };
}

async function checkStatusChange(tx: Db, before: UserWithRoles, status: UserStatus, { actorId }: Cause) {
  if (before.id === actorId) throw new OwnStatus({ details: { current: before.status } });
  if (!statusTransitions[before.status].includes(status))
    throw new InvalidStatusChange({ details: { current: before.status, allowed: statusTransitions[before.status] } });
  if (before.status === 'ACTIVE') await requireAnotherAdmin(tx, before.id);
}
