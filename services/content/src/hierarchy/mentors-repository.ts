import type { Db } from '@lms/database/connect';
import { and, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { nextVersion, outline } from './repository.ts';
import { mentors, nodes as table } from './table.ts';

export type KnownMentor = typeof mentors.$inferSelect;

/** SQL over what is known of mentors, and over the subjects in their hands. */
export const mentorship = (db: Db) => ({
  async find(userId: string) {
    const [mentor] = await db.select().from(mentors).where(eq(mentors.userId, userId)).for('update');
    return mentor;
  },

  /** Notes what was told last; false when something later is known already. */
  async note(mentor: KnownMentor): Promise<boolean> {
    const { userId, ...told } = mentor;
    const noted = await db
      .insert(mentors)
      .values({ userId, ...told })
      .onConflictDoUpdate({ target: mentors.userId, set: told, setWhere: lt(mentors.version, told.version) })
      .returning({ userId: mentors.userId });
    return noted.length > 0;
  },

  /** The subjects in somebody's hands, deleted ones too. */
  assignmentsOf: (identityProviderId: string, email: string | null) =>
    db
      .select({ subjectId: table.id, name: table.name, mentorEmail: table.mentorEmail, deletedAt: table.deletedAt })
      .from(table)
      .where(inHandsOf(identityProviderId, email))
      .orderBy(table.id),

  /** Takes all subjects, deleted ones too, out of somebody's hands. */
  endAssignments: (identityProviderId: string | null, email: string | null) =>
    db
      .update(table)
      .set({ mentorId: null, mentorEmail: null, version: nextVersion })
      .where(inHandsOf(identityProviderId, email))
      .returning(outline),
});

function inHandsOf(identityProviderId: string | null, email: string | null): SQL {
  const byId = identityProviderId === null ? undefined : eq(table.mentorId, identityProviderId);
  const byEmail = email === null ? undefined : and(isNull(table.mentorId), eq(table.mentorEmail, email));
  return or(byId, byEmail) ?? sql`false`;
}
