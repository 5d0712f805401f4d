import { anonymizedEmail } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { outbox } from '@lms/events/tables';
import { idempotencyKeys } from '@lms/idempotency/table';
import { and, eq, exists, inArray, isNotNull, isNull, ne, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { hashOf, type UserRow } from './repository.ts';
import { users as table } from './table.ts';

/** The hash as the database computes it. */
const hashIn = (text: SQLWrapper) => sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** What is stored of anonymized users, and of those who are being anonymized. */
export const anonymizations = (db: Db) => ({
  /** Hashes of the user's identifiers, without former e-mails that belong to another user now. */
  async identifierHashes({ id, identityProviderId, email, formerEmailHashes }: UserRow): Promise<string[]> {
    const identifiers = [identityProviderId, email].filter((text) => text !== null);
    const current = identifiers.map((text) => hashOf(text, 'hex'));
    if (formerEmailHashes.length === 0) return current;
    const emailHash = hashIn(table.email);
    // A sequential scan; it runs only when a user with former e-mails is anonymized.
    const taken = await db
      .select({ emailHash })
      .from(table)
      .where(and(ne(table.id, id), inArray(emailHash, formerEmailHashes)));
    const isTaken = (hash: string) => taken.some((row) => row.emailHash === hash);
    return [...current, ...formerEmailHashes.filter((hash) => !isTaken(hash))];
  },

  /**
   * Removes personal data from the user's events in the outbox, the user's e-mails from those of others who had them before,
   * and stored responses that name the user.
   */
  async redactStoredCopies({ id: userId, identityProviderId, email }: UserRow, identifierHashes: string[]) {
    const names = [userId, identityProviderId, email].filter((name) => name !== null);
    const isNamed = names.map((name) => sql`strpos(${idempotencyKeys.body}, ${JSON.stringify(name)}) > 0`);
    // The response to a hint of another client.
    const hasEmail = inArray(hashIn(sql`(${idempotencyKeys.body}::jsonb #>> '{data,email}')`), identifierHashes);
    await db.delete(idempotencyKeys).where(or(eq(idempotencyKeys.userId, userId), hasEmail, ...isNamed));
    const { data, changes } = outbox;
    const isErased = (text: SQL) => inArray(hashIn(text), identifierHashes);
    const dataEmail = sql`(${data} ->> 'email')`;
    // Another user may take over a former e-mail while this transaction runs.
    const isCurrent = exists(
      db
        .select({ one: sql`1` })
        .from(table)
        .where(and(eq(table.id, outbox.aggregateId), eq(table.email, dataEmail))),
    );
    const hasErasedData = and(isErased(dataEmail), not(isCurrent));
    const hasErasedChanges = ['from', 'to'].map((at) => isErased(sql`(${changes} -> 'email' ->> ${at})`));
    const redacted = sql`${data} || jsonb_build_object('email', ${anonymizedEmail(userId)}::text)`;
    await db
      .update(outbox)
      .set({ data: sql`case when ${hasErasedData} then ${redacted} else ${data} end`, changes: null })
      .where(and(ne(outbox.aggregateId, userId), or(hasErasedData, ...hasErasedChanges)));
    const anonymized = { identityProviderId: null, email: anonymizedEmail(userId), firstName: null, lastName: null };
    await db
      .update(outbox)
      .set({ data: sql`${outbox.data} || ${JSON.stringify(anonymized)}::jsonb`, changes: null })
      .where(eq(outbox.aggregateId, userId));
  },

  /** The ids of all anonymized users. */
  listAnonymized: async (): Promise<string[]> =>
    (await db.select({ id: table.id }).from(table).where(isNotNull(table.anonymizedAt))).map(({ id }) => id),
  /** Those of the users who exist and are not anonymized. */
  listNotAnonymized: async (ids: string[]): Promise<string[]> =>
    ids.length === 0
      ? []
      : (
          await db
            .select({ id: table.id })
            .from(table)
            .where(and(inArray(table.id, ids), isNull(table.anonymizedAt)))
        ).map(({ id }) => id),
});
