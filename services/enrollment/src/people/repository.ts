import type { Principal } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import { eq, lt } from 'drizzle-orm';
import { peopleTable } from './table.ts';

export type Person = typeof peopleTable.$inferSelect;
export type PersonFacts = Pick<Person, 'id' | 'email' | 'firstName' | 'lastName'>;

export const people = (db: Db) => ({
  async find(id: string): Promise<Person | undefined> {
    const [person] = await db.select().from(peopleTable).where(eq(peopleTable.id, id));
    return person;
  },

  /** Notes somebody whom a passport vouches for, unless an event has told of them already. */
  async noteCaller({ userId, email, firstName, lastName }: Principal) {
    await db.insert(peopleTable).values({ id: userId, email, firstName, lastName }).onConflictDoNothing();
  },

  /** Takes over what an event says, unless a later one was heard already; tells whether it was news. */
  async hear(person: PersonFacts & Pick<Person, 'isDeleted' | 'version'>): Promise<boolean> {
    const { id, ...facts } = person;
    const heard = await db
      .insert(peopleTable)
      .values(person)
      .onConflictDoUpdate({ target: peopleTable.id, set: facts, setWhere: lt(peopleTable.version, facts.version) })
      .returning({ id: peopleTable.id });
    return heard.length > 0;
  },
});
