import type { Db } from '@lms/database/connect';
import { deadLetters, outbox } from '@lms/events/tables';
import { idempotencyKeys } from '@lms/idempotency/table';
import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { nextVersion, outline } from './repository.ts';
import { mentors, nodes as table } from './table.ts';

export type Mentor = typeof mentors.$inferSelect;

/** SQL over what is known of mentors, and over the subjects in their hands. */
export const mentorAssignments = (db: Db) => ({
  async find(userId: string) {
    const [mentor] = await db.select().from(mentors).where(eq(mentors.userId, userId)).for('update');
    return mentor;
  },

  /** Notes what was told last; false when something later is known already. */
  async note(mentor: Mentor): Promise<boolean> {
    const { userId, ...told } = mentor;
    const noted = await db
      .insert(mentors)
      .values({ userId, ...told })
      .onConflictDoUpdate({ target: mentors.userId, set: told, setWhere: lt(mentors.version, told.version) })
      .returning({ userId: mentors.userId });
    return noted.length > 0;
  },

  /** The subjects in somebody's hands, deleted ones too. */
  listSubjects: (identityProviderId: string, email: string | null) =>
    db
      .select({ subjectId: table.id, name: table.name, mentorEmail: table.mentorEmail, deletedAt: table.deletedAt })
      .from(table)
      .where(isAssignedTo(identityProviderId, [email]))
      .orderBy(table.id),

  /** Takes all subjects, deleted ones too, out of somebody's hands. */
  removeMentor: (identityProviderId: string | null, emails: (string | null | undefined)[]) =>
    db
      .update(table)
      .set({ mentorId: null, mentorEmail: null, version: nextVersion })
      .where(isAssignedTo(identityProviderId, emails))
      .returning(outline),

  /**
   * Removes every id and e-mail with one of the hashes, from deleted subjects too. An e-mail beside another's id goes and
   * leaves the other assigned; one that stood beside a removed id goes with it, or its holder would inherit the subject.
   */
  removeIdentifiers: (hashes: string[]) =>
    db
      .update(table)
      .set({
        mentorId: sql`case when ${isHashed(table.mentorId, hashes)} then null else ${table.mentorId} end`,
        mentorEmail: null,
        version: nextVersion,
      })
      .where(
        or(
          and(isNotNull(table.mentorId), isHashed(table.mentorId, hashes)),
          and(isNotNull(table.mentorEmail), isHashed(sql`lower(${table.mentorEmail})`, hashes)),
        ),
      )
      .returning(outline),

  /** Does the same in responses stored for repeated requests and in stored events; deletes dead letters about the user. */
  async removeStoredIdentifiers(userId: string, hashes: string[]) {
    const isNamed = (text: SQL) => isHashed(text, hashes);
    const body = sql`${idempotencyKeys.body}::jsonb`;
    const [id, email] = [sql`(${body} #>> '{data,mentorId}')`, sql`(${body} #>> '{data,mentorEmail}')`];
    const withoutEmail = sql`jsonb_set(${body}, '{data,mentorEmail}', 'null')`;
    const withoutBoth = sql`jsonb_set(${withoutEmail}, '{data,mentorId}', 'null')`;
    await db
      .update(idempotencyKeys)
      .set({ body: sql`case when ${isNamed(id)} then ${withoutBoth} else ${withoutEmail} end` })
      .where(or(isNamed(id), isNamed(email)));

    const { data, changes } = outbox;
    const mentorId = sql`(${data} ->> 'mentorId')`;
    const [from, to] = [sql`(${changes} #>> '{mentorId,from}')`, sql`(${changes} #>> '{mentorId,to}')`];
    await db
      .update(outbox)
      .set({
        data: sql`case when ${isNamed(mentorId)} then ${data} || '{"mentorId": null}' else ${data} end`,
        changes: sql`${changes} - 'mentorId'`,
      })
      .where(or(isNamed(mentorId), isNamed(from), isNamed(to)));
    await db.delete(deadLetters).where(sql`strpos(${deadLetters.body}, ${userId}) > 0`);
  },
});

/** True where the SHA-256 of a text, in hex, is one of the hashes. */
const isHashed = (text: SQLWrapper, hashes: string[]) =>
  inArray(sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`, hashes);

function isAssignedTo(identityProviderId: string | null, emails: (string | null | undefined)[]): SQL {
  const byId = identityProviderId === null ? undefined : eq(table.mentorId, identityProviderId);
  const known = emails.filter((email) => typeof email === 'string');
  return or(byId, and(isNull(table.mentorId), inArray(table.mentorEmail, known))) ?? sql`false`;
}
