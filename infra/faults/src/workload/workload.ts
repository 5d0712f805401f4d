import { setTimeout as pause } from 'node:timers/promises';
import type { System } from '../system/system.ts';
import {
  type Course,
  createCourse,
  createSubject,
  createTopic,
  createUsers,
  documentForm,
  type Users,
  unique,
} from './course.ts';
import { absent, createJournal, fieldOf, isAcknowledged, type Journal } from './journal.ts';
import { createUploads } from './uploads.ts';

/** How long a revoked access may remain in caches. */
const revocationMs = 10_000;

export type Workload = Awaited<ReturnType<typeof startWorkload>>;

/** Users of all roles, each with one request after the other, until the end. */
export async function startWorkload({ gateways, urlOf, directory }: System, breathMs: number) {
  const journal = createJournal(gateways);
  const users = await createUsers(journal, urlOf('identity-provider'));
  const course = await createCourse(journal, users);
  const { replaceFilm, importArchive } = await createUploads(journal, users, course, directory);
  // There is a video before the first fault.
  await replaceFilm?.();
  let [isPaused, hasEnded] = [false, false];
  let active = 0;

  async function repeat(step: () => Promise<unknown>) {
    while (!hasEnded) {
      if (!isPaused) {
        active += 1;
        await step();
        active -= 1;
      }
      await pause(breathMs);
    }
  }
  const running = [...createSteps(journal, users, course), importArchive, replaceFilm ?? []].flat().map(repeat);

  return {
    journal,
    users,
    course,
    hasFilms: replaceFilm !== undefined,
    /** Resolves when no request is running. */
    async pause() {
      isPaused = true;
      while (active > 0) await pause(20);
    },
    resume() {
      isPaused = false;
    },
    async end() {
      hasEnded = true;
      await Promise.all(running);
    },
  };
}

/** What the users do again and again, each one step at a time. */
function createSteps(journal: Journal, users: Users, course: Course): (() => Promise<unknown>)[] {
  const { send, create } = journal;
  const { admin, otherAdmin, mentor, reader, learner, applicant, outsider, counted } = users;
  const topic = `/education/topics/${course.topicId}`;
  const stream = `/s3/document/stream?key=${course.documentKey}`;
  const revocations: { path: string; forbiddenFrom: number }[] = [];
  let openApplication = '';

  /** Both admins decide at the same time. Returns the value of the decision that was acknowledged. */
  async function decide(fact: 'enrollment' | 'review', path: string, key: string) {
    const decisions = await Promise.all([
      send(`PUT ${path}/approve`, { user: admin, write: { fact, key, value: 'APPROVED' } }),
      send(`PUT ${path}/reject`, { user: otherAdmin, write: { fact, key, value: 'REJECTED' } }),
    ]);
    journal.contests.push(decisions);
    return decisions.find(isAcknowledged)?.write?.value;
  }

  async function takeNotes() {
    const content = unique('note');
    const path = `/learning/topics/${course.topicId}`;
    await create(`${path}/notes`, { user: learner, json: { content }, write: { fact: 'note', key: content } });
    await send(`PUT ${path}/position`, { user: learner, json: { positionSeconds: 3, durationSeconds: 9 } });
  }

  async function teach() {
    const topicId = await createTopic(journal, admin, course.subjectId);
    if (!topicId) return;
    const name = unique('Renamed');
    const write = { fact: 'topicName', key: topicId, value: name } as const;
    await send(`PUT /admin/education/topics/${topicId}`, { user: admin, json: { name }, write });
  }

  async function editProfile() {
    const firstName = unique('Name');
    const write = { fact: 'firstName', key: learner.id, value: firstName } as const;
    await send('PUT /auth/profile', { user: learner, json: { firstName }, write });
  }

  async function enroll() {
    const subjectId = await createSubject(journal, admin, course.gradeId);
    const topicId = subjectId && (await createTopic(journal, admin, subjectId));
    if (!topicId) return;
    const message = unique('request');
    const json = { subjectId, message };
    const id = await create('/enrollment/request', { user: learner, json, write: { fact: 'request', key: message } });
    const path = `/admin/enrollment/${id}`;
    if (!id || (await decide('enrollment', path, id)) !== 'APPROVED') return;
    await send(`GET /education/topics/${topicId}`, { user: learner });
    const write = { fact: 'enrollment', key: id, value: 'REVOKED' } as const;
    const revoked = await send(`PUT ${path}/revoke`, { user: admin, write });
    if (isAcknowledged(revoked))
      revocations.push({ path: `/education/topics/${topicId}`, forbiddenFrom: revoked.endedAt + revocationMs });
  }

  async function closeSubject() {
    const subjectId = await createSubject(journal, admin, course.gradeId);
    if (!subjectId) return;
    await create('/admin/enrollment', { user: admin, json: { userId: learner.id, subjectId } });
    await send(`DELETE /admin/education/subjects/${subjectId}`, { user: admin });
  }

  async function upload() {
    const key = unique('document');
    const form = documentForm(course.topicId, key);
    const uploaded = await send('POST /s3/document/upload', { user: mentor, form, write: { fact: 'document', key } });
    if (!isAcknowledged(uploaded) || uploaded.endedAt % 2 === 0) return;
    const path = `/admin${topic}/documents/${fieldOf(uploaded, 'id')}`;
    await send(`DELETE ${path}`, { user: mentor, write: { fact: 'document', key, value: absent } });
  }

  async function apply() {
    const motivation = unique('application');
    const write = { fact: 'application', key: motivation } as const;
    openApplication ||= await create('/mentor/apply', { user: applicant, json: { motivation }, write });
    if (!openApplication || !(await decide('review', `/admin/mentor/${openApplication}`, openApplication))) return;
    openApplication = '';
    await send(`DELETE /users/${applicant.id}/roles?role=MENTOR`, { user: admin });
  }

  async function intrude() {
    await send(`GET ${topic}`, { user: outsider, forbiddenFrom: 0 });
    await send(`GET ${stream}`, { user: outsider, forbiddenFrom: 0 });
    const [oldest] = revocations;
    if (!oldest || Date.now() < oldest.forbiddenFrom) return;
    revocations.shift();
    await send(`GET ${oldest.path}`, { user: learner, forbiddenFrom: oldest.forbiddenFrom });
  }

  async function read() {
    await send(`GET ${topic}`, { user: reader });
    await send(`GET ${stream}`, { user: reader });
  }

  const visit = () => send('GET /education/tree');
  const use = () => send('GET /auth/profile', { user: counted });
  return [takeNotes, teach, editProfile, enroll, closeSubject, upload, apply, intrude, read, visit, use];
}
