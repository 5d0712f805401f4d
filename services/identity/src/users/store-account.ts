import { userCreated, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { announceUser } from './announce-user.ts';
import { changesBetween } from './changes.ts';
import { claimEmail, isEmailFromHint } from './claim-email.ts';
import { activeRoles } from './present.ts';
import { type Person, type UserChange, users } from './repository.ts';
import type { Rules } from './rules.ts';

/** An account as the provider vouches for it. A name left out is not spoken of. */
export interface Account {
  identityProviderId: string;
  email: string;
  emailVerified: boolean;
  firstName?: string | null;
  lastName?: string | null;
  providerRevision?: string;
}

/**
 * Stores the provider's word on an account, new or known; undefined where its e-mail is another's. The caller holds the
 * locks of its identity and e-mail.
 */
export async function storeAccount(
  tx: Db,
  rules: Rules,
  account: Account,
  known: Person | undefined,
  cause: Cause,
): Promise<Person | undefined> {
  const { email, emailVerified } = account;
  if (!(await claimEmail(tx, rules, { email, emailVerified, ownId: known?.id }, cause))) return undefined;
  return known ? change(tx, rules, account, known.id, cause) : create(tx, rules, account, cause);
}

async function create(tx: Db, rules: Rules, account: Account, cause: Cause): Promise<Person> {
  const { id } = await users(tx).insert({ ...account, plan: rules.defaultPlan });
  await rules.roles.start(tx, { userId: id, role: 'LEARNER', assignedBy: null });
  if (account.emailVerified) await crown(tx, rules, id, account.email);
  return announceUser(tx, userCreated, id, { cause });
}

async function change(tx: Db, rules: Rules, account: Account, userId: string, cause: Cause): Promise<Person> {
  await users(tx).lock(userId);
  const before = await users(tx).get(userId);
  // Another user who proved its e-mail has closed it meanwhile, which doesn't wait for this identity's lock.
  if (before.identityProviderId !== account.identityProviderId) return create(tx, rules, account, cause);
  const { providerRevision = before.providerRevision, ...spoken } = account;
  // What a hint said about names counts no more than the hint.
  const areNamesFromHint = isEmailFromHint(before) && before.namesEditedAt === null;
  const told = areNamesFromHint ? { firstName: null, lastName: null, ...spoken } : spoken;
  const changes = changesBetween<UserChange>(before, told);
  const isNews = before.isProvisional || Object.keys(changes).length > 0;
  await users(tx).update(before, {
    ...told,
    isProvisional: false,
    providerRevision,
    ...(!isNews && { updatedAt: before.updatedAt }),
  });
  if (!isNews) return before;
  // Accounts that were announced before a hint made a LEARNER.
  const heldRoles = before.userRoles.map(({ role }) => role);
  if (before.isProvisional && !heldRoles.includes('LEARNER'))
    await rules.roles.start(tx, { userId, role: 'LEARNER', assignedBy: null });
  const isNewlyProven = account.emailVerified && (!before.emailVerified || before.email !== account.email);
  if (isNewlyProven && !activeRoles(before).includes('ADMIN')) await crown(tx, rules, userId, account.email);
  return announceUser(tx, userUpdated, userId, { changes, cause });
}

/** The first admins are told by their e-mail, once it is proven. */
async function crown(tx: Db, rules: Rules, userId: string, email: string) {
  if (rules.adminEmails.has(email)) await rules.roles.start(tx, { userId, role: 'ADMIN', assignedBy: null });
}
