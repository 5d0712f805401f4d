import { type Entry, isUnknown } from '../workload/journal.ts';
import type { Check, Evidence, Outage } from './evidence.ts';

/** Contract: after a dependency returns, the service is back within this time. */
const recoveryMs = 10_000;

/** Whether a request needed a part that was disturbed, or had been until shortly before. */
export const mayFail = (entry: Entry, outages: Evidence['outages']) =>
  outages.some(
    ({ breaks, from, to }) =>
      entry.endedAt >= from &&
      entry.startedAt <= to + recoveryMs &&
      breaks.some((part) => (part === 'postgres' ? entry.needs.length > 0 : entry.needs.includes(part))),
  );

/** Services give up on each other after some time, so slow requests show that a part could not do its work. */
const slowOutages = ({ journal, slowMs }: Evidence): Outage[] =>
  journal.entries
    .filter(({ startedAt, endedAt }) => endedAt - startedAt > slowMs)
    .map(({ needs, startedAt, endedAt }) => ({ breaks: needs, from: startedAt, to: endedAt }));

/** The deadline of requests between services. */
const deadlineMs = 2_000;

/** Whether a deadline may have passed because other programs on this machine took the processors nearly all the time. */
const isStarved = ({ startedAt, endedAt, waitMs }: Entry) =>
  endedAt - startedAt >= deadlineMs && waitMs > 0.9 * (endedAt - startedAt);

/** Requests fail only if they need a part that is disturbed. */
export const checkServerErrors: Check = async (evidence) => {
  const outages = [...evidence.outages, ...slowOutages(evidence)];
  return evidence.journal.entries.filter(isUnknown).flatMap((entry) => {
    if (mayFail(entry, outages) || isStarved(entry)) return [];
    const at = new Date(entry.startedAt).toISOString();
    return `${at} after ${entry.endedAt - entry.startedAt} ms ${entry.method} ${entry.path}: ${entry.status} ${JSON.stringify(entry.data).slice(0, 200)}`;
  });
};

/** No response contains protected content without an enrollment. */
export const checkAccess: Check = async ({ journal }) =>
  journal.entries.flatMap((entry) => {
    if (entry.forbiddenFrom === undefined || entry.startedAt < entry.forbiddenFrom || !isDisclosed(entry)) return [];
    const { user, method, path, status } = entry;
    return [`${user} received protected content: ${method} ${path} ${status}`];
  });

/** Other responses than those with the content of a topic contain the bytes of a document. */
function isDisclosed({ status, path, data }: Entry): boolean {
  if (status !== 200) return false;
  const { access, content } = Object(data);
  return path.startsWith('/s3/') || access?.granted !== false || content !== null;
}

/** The usage is the number of requests that were authenticated, not rejected by a limit and did not fail. */
export const checkQuotas: Check = async ({ journal, users: { counted }, isUsageLost }) => {
  const response = await journal.send({ user: counted, path: '/auth/usage' });
  const used = Number(Object(response.data).apiCalls?.used);
  const own = journal.entries.filter(({ user }) => user === counted.email);
  const certain = own.filter((entry) => !isUnknown(entry) && ![401, 429].includes(entry.status)).length;
  const possible = certain + own.filter(isUnknown).length;
  const text = `${used} calls are counted instead of ${certain}${possible > certain ? ` to ${possible}` : ''}`;
  return (used >= certain || isUsageLost) && used <= possible ? [] : [text];
};
