import type { System } from '../system/system.ts';
import { absent, type Entry, facts, isAcknowledged, isUnknown, present } from '../workload/journal.ts';
import { imported } from '../workload/uploads.ts';
import type { Workload } from '../workload/workload.ts';

/** A fault that was injected. Routes that need one of `breaks` may fail until the system has had time to recover. */
export interface Outage {
  breaks: readonly string[];
  from: number;
  to: number;
}

export interface Evidence {
  system: System;
  workload: Workload;
  outages: Outage[];
  /** Until shortly after a request that took longer, requests to the same services may fail. */
  slowMs: number;
  /** Redis has lost the usage that only a killed gateway knew. */
  isUsageLost: boolean;
}

/** Returns what violates an invariant, with the ids that are needed to find it. */
export type Check = (evidence: Evidence) => Promise<string[]>;

/** Every acknowledged write is there, once. A write without a response may be there, once. */
export const checkWrites: Check = async ({ system, workload: { journal } }) => {
  const texts: string[] = [];
  for (const [fact, [database, query]] of Object.entries(facts)) {
    const stored = await system.read(database, query);
    const restores = system.restores.filter((restore) => restore.database === database);
    for (const [key, allowed] of allowedValues(
      journal.entries.filter(({ write }) => write?.fact === fact),
      restores,
    )) {
      const value = stored.get(key) ?? absent;
      if (!allowed.includes(value)) texts.push(`${fact} "${key}" is ${value} instead of ${allowed.join(' or ')}`);
    }
  }
  return texts;
};

/** The values that each key may have after these writes, without the keys of which that is unknown. */
function allowedValues(entries: Entry[], restores: System['restores']): Map<string, string[]> {
  const [certain, possible] = [new Map<string, string>(), new Map<string, string[]>()];
  for (const entry of entries.toSorted((one, other) => one.endedAt - other.endedAt)) {
    const { key = '', value = present } = entry.write ?? {};
    // What the workload creates is absent before.
    if (value === present && !certain.has(key)) certain.set(key, absent);
    const isLost = restores.some(({ from, to }) => entry.endedAt >= from && entry.startedAt <= to);
    if (isAcknowledged(entry) && !isLost) certain.set(key, value);
    else if (isAcknowledged(entry) || isUnknown(entry)) possible.set(key, [...(possible.get(key) ?? []), value]);
  }
  return new Map([...certain].map(([key, value]) => [key, [value, ...(possible.get(key) ?? [])]]));
}

/** Contract: after a dependency returns, the service is back within this time. */
const recoveryMs = 10_000;

/** Whether a request needed a part that was disturbed, or had been until shortly before. */
const mayFail = (entry: Entry, outages: Outage[]) =>
  outages.some(
    ({ breaks, from, to }) =>
      entry.endedAt >= from &&
      entry.startedAt <= to + recoveryMs &&
      breaks.some((part) => (part === 'postgres' ? entry.needs.length > 0 : entry.needs.includes(part))),
  );

/**
 * Two admins decide at the same time: exactly one decision is acknowledged, unless a response was lost or a part refused both:
 * a service whose clock is ahead takes passports for expired.
 */
export const checkContests: Check = async ({ workload: { journal }, outages }) =>
  journal.contests.flatMap((decisions) => {
    const winners = decisions.filter(isAcknowledged).length;
    const mayBeUndecided = decisions.some((entry) => isUnknown(entry) || mayFail(entry, outages));
    const text = decisions.map(({ request, status }) => `${request} ${status}`).join(', ');
    return winners === 1 || (winners === 0 && mayBeUndecided) ? [] : [text];
  });

/** Requests fail only if they need a part that is disturbed. */
export const checkServerErrors: Check = async ({ workload: { journal }, outages, slowMs }) => {
  // Services give up on each other after some time, so slow requests show that a part could not do its work.
  const slow = journal.entries
    .filter(({ startedAt, endedAt }) => endedAt - startedAt > slowMs)
    .map(({ needs, startedAt, endedAt }) => ({ breaks: needs, from: startedAt, to: endedAt }));
  return journal.entries
    .filter((entry) => isUnknown(entry) && !mayFail(entry, [...outages, ...slow]))
    .map(({ startedAt, endedAt, request, status, data }) => {
      const response = `${status} ${JSON.stringify(data).slice(0, 200)}`;
      return `${new Date(startedAt).toISOString()} after ${endedAt - startedAt} ms ${request}: ${response}`;
    });
};

/** No response contains protected content without an enrollment. */
export const checkAccess: Check = async ({ workload: { journal } }) =>
  journal.entries
    .filter((entry) => entry.startedAt >= (entry.forbiddenFrom ?? Number.POSITIVE_INFINITY) && isDisclosed(entry))
    .map(({ user, request }) => `${user} received protected content: ${request}`);

/** Other responses than those with the content of a topic contain the bytes of a document. */
function isDisclosed({ status, request, data }: Entry): boolean {
  const { access, content } = Object(data);
  return status === 200 && (request.includes('/s3/') || access?.granted !== false || content !== null);
}

/** The usage is the number of requests that were authenticated, not rejected by a limit and did not fail. */
export const checkQuotas: Check = async ({ workload: { journal, users }, isUsageLost }) => {
  const { data } = await journal.send('GET /auth/usage', { user: users.counted });
  const used = Number(Object(data).apiCalls?.used);
  const own = journal.entries.filter(({ user }) => user === users.counted.email);
  const possible = own.filter(({ status }) => ![401, 429].includes(status)).length;
  const certain = possible - own.filter(isUnknown).length;
  const text = `${used} calls are counted instead of ${certain} to ${possible}`;
  return (used >= certain || isUsageLost) && used <= possible ? [] : [text];
};

const importsQuery = `select file_name as key, concat_ws(', ', count(distinct i.id) || ' imports', string_agg(distinct status, ', '),
    count(n.id) || ' items', sum(jsonb_array_length(n.documents)) || ' documents') as value
  from imports i left join nodes n on n.description = file_name group by 1`;

/** Every import that was accepted is completed, with each item and document once. Another one has left nothing. */
export const checkImports: Check = async ({ system, workload: { journal } }) => {
  const stored = await system.read('content', importsQuery);
  const complete = `1 imports, completed, ${imported.items} items, ${imported.documents} documents`;
  return journal.entries.flatMap((entry) => {
    if (!entry.importOf) return [];
    const state = stored.get(entry.importOf) ?? absent;
    const isExpected =
      (state === complete && (isAcknowledged(entry) || isUnknown(entry))) ||
      (state === absent && !isAcknowledged(entry));
    return isExpected ? [] : [`the import "${entry.importOf}" (${entry.status}) is ${state}`];
  });
};
