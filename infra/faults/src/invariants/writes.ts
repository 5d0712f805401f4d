import { absent, type Entry, facts, isAcknowledged, isUnknown, present, type Write } from '../workload/journal.ts';
import type { Check, Evidence, Row } from './evidence.ts';
import { mayFail } from './responses.ts';

interface WriteEntry extends Entry {
  write: Write;
}
const isWrite = (entry: Entry): entry is WriteEntry => entry.write !== undefined;

/** Every acknowledged write is there, once. A write without a response may be there, once. */
export const checkWrites: Check = async (evidence) => {
  const texts: string[] = [];
  const writes = groupBy(evidence.journal.entries.filter(isWrite), ({ write }) => write.fact);
  for (const [fact, ofFact] of writes) {
    const rows = await evidence.system.sql(facts[fact].owner).unsafe<Row[]>(facts[fact].sql);
    const stored = groupBy(rows, ({ key }) => key);
    for (const [key, entries] of groupBy(ofFact, ({ write }) => write.key)) {
      const values = (stored.get(key) ?? []).map(({ value }) => value ?? '');
      const allowed = allowedValues(entries, evidence);
      const name = `${fact} "${key}"`;
      if (values.length > 1) texts.push(`${name} exists ${values.length} times`);
      else if (allowed && !allowed.has(values[0] ?? absent))
        texts.push(`${name} is ${values[0] ?? absent} instead of ${[...allowed].join(' or ')}`);
    }
  }
  return texts;
};

/**
 * Two admins decide at the same time: exactly one decision is acknowledged, unless a response was lost or a part refused both:
 * a service whose clock is ahead takes passports for expired.
 */
export const checkContests: Check = async ({ journal, outages }) => {
  const contests = groupBy(
    journal.entries.filter(isWrite).filter(({ write }) => write.isContest),
    ({ write }) => `${write.fact} ${write.key}`,
  );
  return [...contests].flatMap(([name, decisions]) => {
    const winners = decisions.filter(isAcknowledged);
    const isDecided =
      winners.length === 1 ||
      (winners.length === 0 && decisions.some((entry) => isUnknown(entry) || mayFail(entry, outages)));
    const text = `${name}: ${decisions.map(({ write, status }) => `${write.value} ${status}`).join(', ')}`;
    return isDecided ? [] : [text];
  });
};

/** Undefined if the journal does not say. */
function allowedValues(entries: WriteEntry[], { restores }: Evidence): Set<string> | undefined {
  // A restored database has lost what it acknowledged since the copy.
  const isLost = ({ startedAt, endedAt, write }: WriteEntry) =>
    restores.some(
      ({ database, from, to }) => database === facts[write.fact].owner && endedAt >= from && startedAt <= to,
    );
  const certain = entries.filter((entry) => isAcknowledged(entry) && !isLost(entry));
  const possible = entries.filter((entry) => isUnknown(entry) || (isAcknowledged(entry) && isLost(entry)));
  const last = certain.toSorted((one, other) => one.endedAt - other.endedAt).at(-1);
  const isCreated = entries.some(({ write }) => write.value === present);
  if (!last && !isCreated) return undefined;
  return new Set([last?.write.value ?? absent, ...possible.map(({ write }) => write.value)]);
}

function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
