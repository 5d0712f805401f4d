import { userUpdated } from '@lms/contracts/events/identity';
import type { UserStatus } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { announceUser } from './announce-user.ts';
import { changesBetween } from './changes.ts';
import { InvalidMove, OwnStatus, UserGone } from './errors.ts';
import { type Person, type UserChange, type UserRow, users } from './repository.ts';
import type { Rules } from './rules.ts';
import { type Names, readNames } from './update-profile.ts';

/** The statuses that may follow each. */
export const statusMoves: Record<UserStatus, readonly UserStatus[]> = {
  ACTIVE: ['SUSPENDED', 'INACTIVE'],
  SUSPENDED: ['ACTIVE', 'INACTIVE'],
  INACTIVE: ['ACTIVE'],
};

export interface UserUpdate extends Names {
  status?: UserStatus;
  statusReason?: string | null;
  plan?: UserRow['plan'];
}

/** @throws UserNotFound, InvalidMove, OwnStatus, UserGone, LastAdmin */
export function updateUser(db: Db, rules: Rules, userId: string, given: UserUpdate, cause: Cause): Promise<Person> {
  return db.transaction(async (tx) => {
    await users(tx).lock(userId);
    const before = await users(tx).get(userId);
    const after = apply(before, given);
    const changes = changesBetween<UserChange>(before, after);
    if (Object.keys(changes).length === 0) return before;
    if (before.deletedAt || before.anonymizedAt) throw new UserGone({ details: { current: before.status } });
    if (changes.status) await allowMove(tx, rules, before, given.status ?? before.status, cause);
    const isRenamed = Boolean(changes.firstName ?? changes.lastName);
    await users(tx).update(before, { ...after, ...(isRenamed && { namesEditedAt: new Date() }) });
    await rules.record(tx, { cause, action: 'user.updated', entity: 'user', entityId: userId, changes });
    return announceUser(tx, userUpdated, userId, { changes, cause });
  });
}

function apply(before: Person, { status = before.status, statusReason, plan = before.plan, ...names }: UserUpdate) {
  const isBack = status === 'ACTIVE' && before.status !== 'ACTIVE';
  const reason = statusReason === undefined ? (isBack ? null : before.statusReason) : statusReason || null;
  return { ...readNames(names), status, statusReason: reason, plan };
}

async function allowMove(tx: Db, rules: Rules, before: Person, status: UserStatus, { actorId }: Cause) {
  if (before.id === actorId) throw new OwnStatus({ details: { current: before.status } });
  if (!statusMoves[before.status].includes(status))
    throw new InvalidMove({ details: { current: before.status, allowed: statusMoves[before.status] } });
  if (before.status === 'ACTIVE') await rules.roles.requireAnotherAdmin(tx, before.id);
}
