import type { System } from '../system/system.ts';
import { absent, type Entry, facts, isAcknowledged, isUnknown, present } from '../workload/journal.ts';
import type { Workload } from '../workload/workload.ts';

/** The time of a fault. Routes that need one of `breaks` may fail until the system has had time to recover. */
interface Outage {
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

/** Every acknowledged write of a fact is there, once. A write without a response may be there, once. */
const checkWritesOf =
  (fact: string, [database, query]: [string, string]): Check =>
  async ({ system, workload: { journal } }) => {
    const stored = await system.read(database, query);
    const restores = system.restores.filter((restore) => restore.database === database);
    const writes = journal.entries.filter(({ write }) => write?.[0] === fact);
    return [...allowedValues(writes, restores)].flatMap(([key, allowed]) => {
      const value = stored.get(key) ?? absent;
      return allowed.includes(value) ? [] : [`${fact} "${key}" is ${value} instead of ${allowed.join(' or ')}`];
    });
  };
const { import: importFact, ...otherFacts } = facts;
export const checkImports = checkWritesOf('import', importFact);

/** The values that each key may have after these writes, without the keys of which that is unknown. */
function allowedValues(entries: Entry[], restores: System['restores']): Map<string, string[]> {
  const [certain, possible] = [new Map<string, string>(), new Map<string, string[]>()];
  for (const entry of entries.toSorted((one, other) => one.endedAt - other.endedAt)) {
    const [, key = '', value = present] = entry.write ?? [];
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
      entry.endedAt >= from && entry.startedAt <= to + recoveryMs && breaks.some((part) => entry.needs.includes(part)),
  );

/**
 * Two admins decide at the same time: exactly one decision is acknowledged, unless a response was lost or a part refused both:
 * a service whose clock is ahead takes passports for expired.
 */
const checkContests: Check = async ({ workload: { journal }, outages }) =>
  journal.contests.flatMap((decisions) => {
    const winners = decisions.filter(isAcknowledged).length;
    const mayBeUndecided = decisions.some((entry) => isUnknown(entry) || mayFail(entry, outages));
    const text = decisions.map(({ request, status }) => `${request} ${status}`).join(', ');
    return winners === 1 || (winners === 0 && mayBeUndecided) ? [] : [text];
  });

/** Requests fail only if they need a part that is disturbed. */
const checkServerErrors: Check = async ({ workload: { journal }, outages, slowMs }) => {
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
const checkAccess: Check = async ({ workload: { journal } }) =>
  journal.entries
    .filter((entry) => entry.startedAt >= (entry.forbiddenFrom ?? Number.POSITIVE_INFINITY) && isDisclosed(entry))
    .map(({ user, request }) => `${user?.email} received protected content: ${request}`);

/** Other responses than those with the content of a topic contain the bytes of a document. */
function isDisclosed({ status, request, data }: Entry): boolean {
  const { access, content } = Object(data);
  return status === 200 && (request.includes('/s3/') || access?.granted !== false || content !== null);
}

/** The usage is the number of requests that were authenticated, not rejected by a limit and did not fail. */
const checkQuotas: Check = async ({ workload: { journal, users }, isUsageLost }) => {
  const { data } = await journal.send('GET /auth/usage', { user: users.counted });
  const used = Number(Object(data).apiCalls?.used);
  const own = journal.entries.filter(({ user }) => user?.email === users.counted.email);
  const possible = own.filter(({ status }) => ![401, 429].includes(status)).length;
  const certain = possible - own.filter(isUnknown).length;
  const text = `${used} calls are counted instead of ${certain} to ${possible}`;
  return (used >= certain || isUsageLost) && used <= possible ? [] : [text];
};

/** What the responses that users have received say about the state. */
export const journalInvariants = {
  'acknowledged writes': Object.entries(otherFacts).map(([name, fact]) => checkWritesOf(name, fact)),
  'one winner': [checkContests],
  quotas: [checkQuotas],
  access: [checkAccess],
  'server errors': [checkServerErrors],
};
