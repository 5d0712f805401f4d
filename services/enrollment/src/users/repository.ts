import type { Principal } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { idempotencyKeys } from '@lms/idempotency/table';
import { eq, inArray, lt, or, sql } from 'drizzle-orm';
import { userTable } from './table.ts';

export type User = typeof userTable.$inferSelect;
export type UserValues = Omit<User, 'createdAt' | 'updatedAt'>;

const insertedUser = prepared('insert_user', (db) =>
  db
    .insert(userTable)
    .values({
      id: sql.placeholder('id'),
      email: sql.placeholder('email'),
      firstName: sql.placeholder('firstName'),
      lastName: sql.placeholder('lastName'),
    })
    .onConflictDoNothing(),
);

export const users = (db: Db) => ({
  async find(id: string): Promise<User | undefined> {
    const [user] = await db.select().from(userTable).where(eq(userTable.id, id));
    return user;
  },

  list: (ids: string[]): Promise<User[]> => db.select().from(userTable).where(inArray(userTable.id, ids)),

  /** Locks the row until the transaction ends. */
  async lock(id: string): Promise<User | undefined> {
    const [user] = await db.select().from(userTable).where(eq(userTable.id, id)).for('update');
    return user;
  },

  /** Stores a user known from identity or from a passport, unless an event has already done so. */
  async insertIfAbsent({ userId, email, firstName, lastName }: Principal) {
    await insertedUser(db).execute({ id: userId, email, firstName, lastName });
  },

  /** Stores users known from identity, unless an event has already done so. */
  async insertAllIfAbsent(values: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>[]) {
    if (values.length === 0) return;
    // Locked in the order of their ids: another order could deadlock.
    const sorted = values.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await db.insert(userTable).values(sorted).onConflictDoNothing();
  },

  /** Deletes the stored idempotent responses to a user, and those that name the user. */
  async deleteStoredResponses(userId: string) {
    const namesUser = sql`strpos(${idempotencyKeys.body}, ${userId}) > 0`;
    await db.delete(idempotencyKeys).where(or(eq(idempotencyKeys.userId, userId), namesUser));
  },

  async upsert({ id, ...values }: UserValues) {
    await db
      .insert(userTable)
      .values({ id, ...values })
      .onConflictDoUpdate({ target: userTable.id, set: values, setWhere: lt(userTable.version, values.version) });
  },
});
