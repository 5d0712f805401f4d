import { subjectEvents } from '@lms/contracts/events/content';
import type { Db } from '@lms/database/connect';
import { outbox } from '@lms/events/tables';
import { idempotencyKeys } from '@lms/idempotency/table';
import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { nextVersion, outline } from './repository.ts';
import { mentors as mentorsTable, nodes as nodesTable } from './table.ts';

const subjectEventTypes = Object.values(subjectEvents).map(({ type }) => type);

export type Mentor = typeof mentorsTable.$inferSelect;

/** The stored mentors, and their assignments to subjects. */
export const mentors = (db: Db) => ({
  async find(userId: string) {
    const [mentor] = await db.select().from(mentorsTable).where(eq(mentorsTable.userId, userId)).for('update');
    return mentor;
  },

  /** @returns false if a newer version is stored already */
  async upsert(mentor: Mentor): Promise<boolean> {
    const { userId, ...columns } = mentor;
    const rows = await db
      .insert(mentorsTable)
      .values({ userId, ...columns })
      .onConflictDoUpdate({
        target: mentorsTable.userId,
        set: columns,
        setWhere: lt(mentorsTable.version, columns.version),
      })
      .returning({ userId: mentorsTable.userId });
    return rows.length > 0;
  },

  /** The subjects assigned to a mentor, including deleted ones. */
  listAssignments: (identityProviderId: string, email: string | null) =>
    db
      .select({
        subjectId: nodesTable.id,
        name: nodesTable.name,
        mentorEmail: nodesTable.mentorEmail,
        deletedAt: nodesTable.deletedAt,
      })
      .from(nodesTable)
      .where(isAssignedTo(identityProviderId, [email]))
      .orderBy(nodesTable.id),

  /**
   * Removes a mentor from all subjects, including deleted ones, to which the mentor was assigned before a time; up to 30 s
   * after it too, because it comes from another server's clock.
   */
  unassign: (identityProviderId: string | null, emails: (string | null | undefined)[], time: Date) =>
    db
      .update(nodesTable)
      .set({ mentorId: null, mentorEmail: null, version: nextVersion })
      .where(and(isAssignedTo(identityProviderId, emails), wasAssignedBefore(new Date(time.getTime() + 30_000))))
      .returning(outline),

  /**
   * Removes every id and e-mail with one of the hashes, also from deleted subjects. If only the e-mail matches, the id of
   * another mentor stays. If only the id matches, the e-mail goes too: otherwise its owner would become the mentor.
   */
  removeIdentifiers: (hashes: string[]) =>
    db
      .update(nodesTable)
      .set({
        mentorId: sql`case when ${isHashed(nodesTable.mentorId, hashes)} then null else ${nodesTable.mentorId} end`,
        mentorEmail: null,
        version: nextVersion,
      })
      .where(
        or(
          and(isNotNull(nodesTable.mentorId), isHashed(nodesTable.mentorId, hashes)),
          and(isNotNull(nodesTable.mentorEmail), isHashed(sql`lower(${nodesTable.mentorEmail})`, hashes)),
        ),
      )
      .returning(outline),

  /** Does the same in stored idempotent responses and outbox events. */
  async removeStoredIdentifiers(hashes: string[]) {
    const isMatch = (text: SQL) => isHashed(text, hashes);
    const body = sql`${idempotencyKeys.body}::jsonb`;
    const [id, email] = [sql`(${body} #>> '{data,mentorId}')`, sql`(${body} #>> '{data,mentorEmail}')`];
    const withoutEmail = sql`jsonb_set(${body}, '{data,mentorEmail}', 'null')`;
    const withoutBoth = sql`jsonb_set(${withoutEmail}, '{data,mentorId}', 'null')`;
    await db
      .update(idempotencyKeys)
      .set({ body: sql`case when ${isMatch(id)} then ${withoutBoth} else ${withoutEmail} end` })
      .where(or(isMatch(id), isMatch(email)));

    const { data, changes } = outbox;
    const mentorId = sql`(${data} ->> 'mentorId')`;
    const [from, to] = [sql`(${changes} #>> '{mentorId,from}')`, sql`(${changes} #>> '{mentorId,to}')`];
    await db
      .update(outbox)
      .set({
        data: sql`case when ${isMatch(mentorId)} then ${data} || '{"mentorId": null}' else ${data} end`,
        changes: sql`${changes} - 'mentorId'`,
      })
      // Only the events of subjects have mentors; reading the others too, mostly of topics, takes many times as long.
      .where(and(inArray(outbox.type, subjectEventTypes), or(isMatch(mentorId), isMatch(from), isMatch(to))));
  },
});

/** True if the hexadecimal SHA-256 of a text is one of the hashes. */
const isHashed = (text: SQLWrapper, hashes: string[]) =>
  inArray(sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`, hashes);

const wasAssignedBefore = (time: Date) =>
  or(isNull(nodesTable.mentorAssignedAt), lt(nodesTable.mentorAssignedAt, time));

function isAssignedTo(identityProviderId: string | null, emails: (string | null | undefined)[]): SQL {
  const byId = identityProviderId === null ? undefined : eq(nodesTable.mentorId, identityProviderId);
  const known = emails.filter((email) => typeof email === 'string');
  return or(byId, and(isNull(nodesTable.mentorId), inArray(nodesTable.mentorEmail, known))) ?? sql`false`;
}
