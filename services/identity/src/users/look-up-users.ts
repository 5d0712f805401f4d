import type { FoundUser } from '@lms/contracts/internal/identity';
import type { Db } from '@lms/database/connect';
import { normalizeEmail } from './email.ts';
import { type UserRow, users } from './repository.ts';

/** Finds users by id, and by e-mail if it is verified. The results are in the order of the input, null for unknown users. */
export async function lookUpUsers(db: Db, { ids, emails }: { ids: string[]; emails: string[] }) {
  const normalized = emails.map(normalizeEmail);
  const found = await users(db).findAll(ids, normalized);
  const byId = new Map(found.map((user) => [user.id, toFoundUser(user)]));
  const verified = found.filter((user) => user.emailVerified);
  const byEmail = new Map(verified.map((user) => [user.email, toFoundUser(user)]));
  return {
    byId: ids.map((id) => byId.get(id) ?? null),
    byEmail: normalized.map((email) => byEmail.get(email) ?? null),
  };
}

const toFoundUser = ({ id, email, firstName, lastName }: UserRow): FoundUser => ({ id, email, firstName, lastName });
