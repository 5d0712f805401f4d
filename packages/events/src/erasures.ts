import { createHash } from 'node:crypto';
import type { Db } from '@lms/database/connect';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import { deadLetters, erasures } from './tables.ts';

export type Erasure = typeof erasures.$inferSelect;

export interface ErasedPerson {
  /** The aggregate id of the person's own events. */
  id: string;
  /** SHA-256 hashes (hex) of the person's identifiers. The first is of one that no one gets again. */
  identifierHashes: string[];
}

// The stream stores events for 30 days.
const storedDays = 31;

/**
 * Records that a person's data is erased, in the transaction that erases it from this service's tables, and deletes the
 * dead letters about the person. Messages in the stream are erased afterwards, by the service that published them.
 */
export async function recordErasure(tx: Db, { id, identifierHashes }: ErasedPerson) {
  const [uniqueHash, ...otherHashes] = identifierHashes;
  if (uniqueHash !== undefined) {
    const values = { uniqueHash, otherHashes, erasedAt: sql`now()`, streamErasedAt: null };
    await tx
      .insert(erasures)
      .values({ id, ...values })
      .onConflictDoUpdate({ target: erasures.id, set: values });
  }
  const { id: letterId, headers, body } = deadLetters;
  const letters = await tx.select({ id: letterId, headers, body }).from(deadLetters);
  const hashes = new Set(identifierHashes);
  // Other aggregates may contain the id, which is no personal data: they were uploaded or decided by the person.
  const about = letters.filter((letter) => letter.headers['ce-subject'] === id || contains(letter.body, hashes));
  if (about.length > 0)
    await tx.delete(deadLetters).where(
      inArray(
        deadLetters.id,
        about.map((letter) => letter.id),
      ),
    );
}

/** Whether an event identifies a person whose data was erased. */
export async function identifiesErased(db: Db, body: string): Promise<boolean> {
  const rows = await db.select({ uniqueHash: erasures.uniqueHash }).from(erasures);
  return rows.length > 0 && contains(body, new Set(rows.map(({ uniqueHash }) => uniqueHash)));
}

/** Whether one of the texts in a JSON document has one of the hashes. */
export function contains(json: string, hashes: ReadonlySet<string>): boolean {
  if (hashes.size === 0) return false;
  for (const [quoted] of json.matchAll(/"(?:[^"\\]|\\.)*"/g))
    if (hashes.has(createHash('sha256').update(unquote(quoted)).digest('hex'))) return true;
  return false;
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

export const listErasures = (db: Db): Promise<Erasure[]> => db.select().from(erasures);

export const markStreamErased = (db: Db, { id, erasedAt }: Erasure) =>
  db
    .update(erasures)
    .set({ streamErasedAt: new Date() })
    // Not if the erasure was recorded again meanwhile.
    .where(sql`${eq(erasures.id, id)} and ${eq(erasures.erasedAt, erasedAt)}`);

/** Deletes the records that no stored event can concern any more. */
export const deleteOldErasures = (db: Db) =>
  db.delete(erasures).where(lt(erasures.erasedAt, sql`now() - make_interval(days => ${storedDays})`));
