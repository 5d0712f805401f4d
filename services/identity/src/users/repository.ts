import { createHash } from 'node:crypto';
import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import { type DateRange, inDateRange, orderByColumns, readPageById, type SortRequest } from '@lms/database/paging';
import { prepared } from '@lms/database/prepared';
import { and, asc, desc, eq, exists, inArray, isNull, like, or, type SQL, sql } from 'drizzle-orm';
import { UserDeleted, UserNotFound } from './errors.ts';
import type { UserRoleRow } from './role-repository.ts';
import { searchPrefixes } from './search-prefixes.ts';
import { departures, foldCase, users as table, userRoles } from './table.ts';

export type UserRow = typeof table.$inferSelect;

/** A user with all role assignments, active and ended, newest first. */
export interface UserWithRoles extends UserRow {
  userRoles: UserRoleRow[];
}

export type NewUser = Omit<typeof table.$inferInsert, 'searchText'>;
export type UserChange = Partial<NewUser>;

export const userSorts = ['createdAt', 'updatedAt', 'email', 'firstName', 'lastName'] as const;
export interface UserQuery extends SortRequest<(typeof userSorts)[number]>, DateRange {
  search?: string;
  role?: Role;
  status?: UserRow['status'];
  plan?: UserRow['plan'];
}

export const hashOf = (text: string, encoding: 'hex' | 'base64url' = 'base64url') =>
  createHash('sha256').update(text).digest(encoding);
const searchTextOf = ({ firstName, lastName, email }: Pick<NewUser, 'firstName' | 'lastName' | 'email'>) =>
  foldCase(`${firstName ?? ''} ${lastName ?? ''}\n${email}`);
/** Rows whose search text contains the text, taken literally. The prefixes let PostgreSQL use the trigram index. */
function matchesSearch(search: string | undefined): SQL[] {
  if (search === undefined) return [];
  const text = foldCase(search);
  const prefixes = searchPrefixes(text).map((prefix) => like(table.searchText, `%${prefix}%`));
  return [...prefixes, sql`strpos(${table.searchText}, ${text}) > 0`];
}
const newestFirst = desc(userRoles.effectiveStartDate);

const prepareWithRoles = (name: string, where: SQL) =>
  prepared(name, (db) =>
    db
      .select({ user: table, role: userRoles })
      .from(table)
      .leftJoin(userRoles, eq(userRoles.userId, table.id))
      .where(where)
      .orderBy(newestFirst, desc(userRoles.id)),
  );
const withRolesById = prepareWithRoles('user_by_id', eq(table.id, sql.placeholder('id')));
const withRolesByIdentity = prepareWithRoles(
  'user_by_identity',
  eq(table.identityProviderId, sql.placeholder('identityProviderId')),
);

function toUserWithRoles(rows: { user: UserRow; role: UserRoleRow | null }[]): UserWithRoles | undefined {
  const [first] = rows;
  return first && { ...first.user, userRoles: rows.flatMap(({ role }) => role ?? []) };
}

export const users = (db: Db) => {
  const findByIdentity = async (identityProviderId: string) =>
    toUserWithRoles(await withRolesByIdentity(db).execute({ identityProviderId }));

  /** Whether the provider's account was deleted, here or at the provider. */
  async function isIdentityDeleted(identityProviderId: string): Promise<boolean> {
    const rows = await db
      .select()
      .from(departures)
      .where(eq(departures.identityHash, hashOf(identityProviderId)));
    return rows.length > 0;
  }

  const find = async (id: string) => toUserWithRoles(await withRolesById(db).execute({ id }));

  /** Holds the lock until the end of the transaction. */
  const lockKey = (key: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);

  return {
    findByIdentity,
    find,
    async get(id: string): Promise<UserWithRoles> {
      const user = await find(id);
      if (!user) throw new UserNotFound();
      return user;
    },

    /** Take these locks, in this order, before you lock a row to link an identity or an e-mail to a user. */
    async lockIdentity(identityProviderId: string, email?: string) {
      await lockKey(`identity:${identityProviderId}`);
      if (email !== undefined) await lockKey(`email:${email}`);
    },
    async findByEmail(email: string): Promise<UserRow | undefined> {
      const [row] = await db.select().from(table).where(eq(table.email, email));
      return row;
    },
    /** The existing users with one of the ids, or one of the e-mails if it is verified. E-mails are normalized. */
    findAll: (ids: string[], emails: string[]): Promise<UserRow[]> =>
      db
        .select()
        .from(table)
        .where(
          and(
            isNull(table.deletedAt),
            isNull(table.anonymizedAt),
            or(inArray(table.id, ids), and(table.emailVerified, inArray(table.email, emails))),
          ),
        ),
    /** Locks rows in the order of their ids, to prevent deadlocks. */
    lock: (...ids: string[]) =>
      db.select().from(table).where(inArray(table.id, ids)).orderBy(asc(table.id)).for('update'),
    /** Locks the row of a user who has not been deleted. @throws UserNotFound, UserDeleted */
    async lockExisting(id: string): Promise<UserRow> {
      const [row] = await db.select().from(table).where(eq(table.id, id)).for('update');
      if (!row) throw new UserNotFound();
      if (row.deletedAt || row.anonymizedAt) throw new UserDeleted({ details: { current: row.status } });
      return row;
    },
    async insert(user: NewUser): Promise<UserRow> {
      const [row] = await db
        .insert(table)
        .values({ ...user, searchText: searchTextOf(user) })
        .returning();
      if (!row) throw new UserNotFound();
      return row;
    },
    /** Updates a row that the caller has locked. */
    async update(row: UserRow, change: UserChange) {
      const searchText = searchTextOf({ ...row, ...change });
      const hasOtherEmail = change.email !== undefined && change.email !== row.email;
      const formerEmailHashes = [...new Set([...row.formerEmailHashes, hashOf(row.email, 'hex')])];
      await db
        .update(table)
        .set({ ...(hasOtherEmail && { formerEmailHashes }), ...change, searchText })
        .where(eq(table.id, row.id));
    },

    isIdentityDeleted,
    /** Deleting an account at the provider keeps the link to its id; only anonymizing removes it. */
    isIdentityAnonymized: async (identityProviderId: string): Promise<boolean> =>
      (await isIdentityDeleted(identityProviderId)) && (await findByIdentity(identityProviderId)) === undefined,
    /** Returns false if the identity was already marked. */
    async markIdentityDeleted(identityProviderId: string): Promise<boolean> {
      const rows = await db
        .insert(departures)
        .values({ identityHash: hashOf(identityProviderId) })
        .onConflictDoNothing()
        .returning();
      return rows.length > 0;
    },

    async list(query: UserQuery): Promise<{ items: UserWithRoles[]; total: number }> {
      const holdsRole =
        query.role &&
        exists(
          db
            .select({ one: sql`1` })
            .from(userRoles)
            .where(and(eq(userRoles.userId, table.id), eq(userRoles.role, query.role), userRoles.isActive)),
        );
      const where = and(
        ...matchesSearch(query.search),
        holdsRole,
        query.status && eq(table.status, query.status),
        query.plan && eq(table.plan, query.plan),
        ...inDateRange(query, table),
      );
      const order = orderByColumns(query, table, table.id);
      const { items: rows, total } = await readPageById(db, query, { table, where, order }, (isOnPage) =>
        db.select().from(table).where(isOnPage),
      );
      const assignments = await db
        .select()
        .from(userRoles)
        .where(
          inArray(
            userRoles.userId,
            rows.map(({ id }) => id),
          ),
        )
        .orderBy(newestFirst, desc(userRoles.id));
      return {
        items: rows.map((row) => ({ ...row, userRoles: assignments.filter(({ userId }) => userId === row.id) })),
        total,
      };
    },
  };
};
