import { enrollmentApproved } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { bulk } from './bulk-repository.ts';
import { SubjectGone, UserGone } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import type { SubjectSnapshot } from './open-enrollment.ts';
import { transitions } from './states.ts';
import { transitionChanges, transitionFields } from './transition-enrollment.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

export interface Placement {
  userId: string;
  subject: SubjectSnapshot;
  expiresAt: Date | null;
}

/** `unchanged`: the user was already enrolled in the subject. */
export const placementStatuses = ['created', 'approved', 'unchanged'] as const;
export interface Placed {
  status: (typeof placementStatuses)[number];
  enrollmentId: string;
}
export type Refused = InstanceType<typeof SubjectGone>;

interface Options {
  adminId: string;
  cause: Cause;
}

export const placementKey = (userId: string, subjectId: string) => `${userId} ${subjectId}`;

// The open enrollment that an insert conflicts with may have been closed before it is read; then the insert is repeated.
const maxAttempts = 3;

/**
 * Enrolls users in subjects without a request, in the transaction of the caller. Pending requests are approved, and
 * approved enrollments stay as they are. The number of statements does not depend on the number of users.
 * @returns by `placementKey`, the result; missing if others kept changing the enrollment
 */
export async function enrollUsers(tx: Db, placements: Placement[], options: Options) {
  const results = new Map<string, Placed | Refused>();
  await refuseDeleted(tx, placements, results);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const changeable = placements.filter(isWaiting);
    if (changeable.length === 0) break;
    await changeOpen(tx, changeable, options, results);
    await insertMissing(tx, changeable.filter(isWaiting), options, results);
  }
  return results;

  function isWaiting({ userId, subject }: Placement) {
    return !results.has(placementKey(userId, subject.id));
  }
}

type Results = Map<string, Placed | Refused>;
interface Row {
  id: string;
  userId: string;
  subjectId: string;
}

function record(results: Results, rows: Row[], status: Placed['status']) {
  for (const { id, userId, subjectId } of rows)
    results.set(placementKey(userId, subjectId), { status, enrollmentId: id });
}

async function refuseDeleted(tx: Db, placements: Placement[], results: Results) {
  const subjects = await bulk(tx).lockSubjects(placements.map(({ subject }) => subject.id));
  const users = await bulk(tx).lockUsers(placements.map(({ userId }) => userId));
  for (const { userId, subject } of placements) {
    const known = subjects.get(subject.id);
    // Deleted after content's response: the event handler has already run and would not see the new row.
    const isGone = !known || (known.isDeleted && known.version > subject.knownVersion);
    const refused = isGone ? new SubjectGone() : users.get(userId)?.isDeleted === false ? undefined : new UserGone();
    if (refused) results.set(placementKey(userId, subject.id), refused);
  }
}

/** Approves pending requests, and stores EXPIRED for enrollments past their `expiresAt`, which are enrolled again. */
async function changeOpen(tx: Db, placements: Placement[], { adminId, cause }: Options, results: Results) {
  const open = await bulk(tx).lockOpen(placements.map(({ userId, subject }) => ({ userId, subjectId: subject.id })));
  const expired = open.filter(({ isExpired }) => isExpired);
  const { from, event } = transitions.expire;
  await appendEnrollmentEvents(tx, await bulk(tx).expire(expired.map(({ id }) => id)), { event, from });

  const current = open.filter(({ isExpired }) => !isExpired);
  const approved = current.filter(({ status }) => status === 'APPROVED');
  record(results, approved, 'unchanged');

  const pending = new Map(
    current
      .filter(({ status }) => status === 'PENDING')
      .map(({ id, userId, subjectId }) => [placementKey(userId, subjectId), id]),
  );
  for (const [expiresAt, ids] of groupByExpiry(placements, pending)) {
    const { approve } = transitions;
    const input = { actorId: adminId, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
    const rows = await enrollmentTransitions(tx).transitionAll(ids, approve, transitionFields('approve', input));
    const changes = transitionChanges(input);
    await appendEnrollmentEvents(tx, rows, { event: approve.event, from: approve.from, changes, cause });
    record(results, rows, 'approved');
  }
}

/** The ids of pending enrollments by the time at which they shall expire: one statement updates those of one time. */
function groupByExpiry(placements: Placement[], pending: Map<string, string>) {
  const groups = new Map<number | null, string[]>();
  for (const { userId, subject, expiresAt } of placements) {
    const id = pending.get(placementKey(userId, subject.id));
    if (id === undefined) continue;
    const time = expiresAt?.getTime() ?? null;
    groups.set(time, [...(groups.get(time) ?? []), id]);
  }
  return groups;
}

async function insertMissing(tx: Db, placements: Placement[], { adminId, cause }: Options, results: Results) {
  const now = new Date();
  const decision = {
    requestedAt: now,
    decidedAt: now,
    decidedBy: adminId,
    status: 'APPROVED',
    source: 'ADMIN',
  } as const;
  const rows = await bulk(tx).insertOpen(
    placements.map(({ userId, subject, expiresAt }) => ({ userId, subjectId: subject.id, expiresAt, ...decision })),
  );
  await appendEnrollmentEvents(tx, rows, { event: enrollmentApproved, cause });
  record(results, rows, 'created');
}
