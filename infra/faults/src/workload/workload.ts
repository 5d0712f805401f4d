import { setTimeout as pause } from 'node:timers/promises';
import {
  type Course,
  createCourse,
  createSubject,
  createTopic,
  createUsers,
  createWriter,
  documentForm,
  type Users,
  unique,
} from './course.ts';
import { absent, createJournal, fieldOf, type Gateway, isAcknowledged, type Journal, present } from './journal.ts';
import { createFilming, createImporting, makeFilm } from './uploads.ts';

/** How long a revoked access may remain in caches. */
const revocationMs = 10_000;

/** Users of all roles, each with one request after the other, until the end. */
export async function startWorkload(
  { gateways, providerUrl, directory }: { gateways: Gateway[]; providerUrl: string; directory: string },
  breathMs: number,
) {
  const journal = createJournal(gateways);
  const users = await createUsers(journal, providerUrl);
  const [admin] = users.admins;
  const course = await createCourse(journal, users);
  const film = await makeFilm(directory);
  const filming = film && createFilming(journal, users.mentor, { topicId: course.filmTopicId, film });
  // There is a video before the first fault.
  await filming?.();
  let [isPaused, hasEnded] = [false, false];
  let active = 0;

  async function repeat(step: () => Promise<unknown>) {
    while (!hasEnded) {
      if (!isPaused) {
        active += 1;
        await step().finally(() => {
          active -= 1;
        });
      }
      await pause(breathMs);
    }
  }
  const running = [...actors(journal, users, course), createImporting(journal, admin), filming ?? []]
    .flat()
    .map(repeat);

  return {
    journal,
    users,
    course,
    hasFilms: film !== undefined,
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

function actors(journal: Journal, users: Users, course: Course): (() => Promise<unknown>)[] {
  const { send } = journal;
  const write = createWriter(journal);
  const [[admin, otherAdmin], [reader, learner]] = [users.admins, users.learners];
  const topic = `/education/topics/${course.topicId}`;
  const stream = `/s3/document/stream?key=${course.documentKey}`;
  const revocations: { path: string; forbiddenFrom: number }[] = [];
  let openApplication = '';

  /** Both admins decide at the same time. Returns the value of the decision that was acknowledged. */
  async function contest(fact: 'enrollment' | 'review', path: string, key: string) {
    const decide = (user: typeof admin, verb: string, value: string) =>
      send({ user, method: 'PUT', path: `${path}/${verb}`, write: { fact, key, value, isContest: true } });
    const decisions = await Promise.all([
      decide(admin, 'approve', 'APPROVED'),
      decide(otherAdmin, 'reject', 'REJECTED'),
    ]);
    return decisions.find(isAcknowledged)?.write?.value;
  }

  async function takeNotes() {
    const content = unique('note');
    const path = `/learning/topics/${course.topicId}`;
    const note = { fact: 'note', key: content, value: present } as const;
    await write({ user: learner, path: `${path}/notes`, json: { content }, write: note });
    const position = { positionSeconds: 3, durationSeconds: 9 };
    await send({ user: learner, method: 'PUT', path: `${path}/position`, json: position });
  }

  async function teach() {
    const topicId = await createTopic(write, admin, course.subjectId);
    if (!topicId) return;
    const name = unique('Renamed');
    const path = `/admin/education/topics/${topicId}`;
    const rename = { fact: 'topicName', key: topicId, value: name } as const;
    await send({ user: admin, method: 'PUT', path, json: { name }, write: rename });
  }

  async function editProfile() {
    const firstName = unique('Name');
    const change = { fact: 'firstName', key: learner.id, value: firstName } as const;
    await send({ user: learner, method: 'PUT', path: '/auth/profile', json: { firstName }, write: change });
  }

  async function enroll() {
    const subjectId = await createSubject(write, admin, course.gradeId);
    const topicId = subjectId && (await createTopic(write, admin, subjectId));
    if (!topicId) return;
    const message = unique('request');
    const request = { fact: 'request', key: message, value: present } as const;
    const json = { subjectId, message };
    const id = await write({ user: learner, path: '/enrollment/request', json, write: request });
    if (!id) return;
    const path = `/admin/enrollment/${id}`;
    if ((await contest('enrollment', path, id)) !== 'APPROVED') return;
    await send({ user: learner, path: `/education/topics/${topicId}` });
    const revoke = { fact: 'enrollment', key: id, value: 'REVOKED' } as const;
    const revoked = await send({ user: admin, method: 'PUT', path: `${path}/revoke`, write: revoke });
    if (isAcknowledged(revoked))
      revocations.push({ path: `/education/topics/${topicId}`, forbiddenFrom: revoked.endedAt + revocationMs });
  }

  async function closeSubject() {
    const subjectId = await createSubject(write, admin, course.gradeId);
    if (!subjectId) return;
    await write({ user: admin, path: '/admin/enrollment', json: { userId: learner.id, subjectId } });
    await send({ user: admin, method: 'DELETE', path: `/admin/education/subjects/${subjectId}` });
  }

  async function upload() {
    const name = unique('document');
    const fact = { fact: 'document', key: name } as const;
    const form = documentForm(course.topicId, name);
    const post = { user: users.mentor, method: 'POST', path: '/s3/document/upload' } as const;
    const uploaded = await send({ ...post, form, write: { ...fact, value: present } });
    if (!isAcknowledged(uploaded) || uploaded.endedAt % 2 === 0) return;
    const path = `/admin${topic}/documents/${fieldOf(uploaded, 'id')}`;
    const removal = { ...fact, value: absent };
    await send({ user: users.mentor, method: 'DELETE', path, write: removal });
  }

  async function apply() {
    const motivation = unique('application');
    const application = { fact: 'application', key: motivation, value: present } as const;
    const post = { user: users.applicant, path: '/mentor/apply', json: { motivation } };
    openApplication ||= await write({ ...post, write: application });
    if (!openApplication) return;
    const decision = await contest('review', `/admin/mentor/${openApplication}`, openApplication);
    if (!decision) return;
    openApplication = '';
    await send({ user: admin, method: 'DELETE', path: `/users/${users.applicant.id}/roles?role=MENTOR` });
  }

  async function intrude() {
    const intruder = { user: users.outsider, forbiddenFrom: 0 };
    await send({ ...intruder, path: topic });
    await send({ ...intruder, path: stream });
    const [oldest] = revocations;
    if (!oldest || Date.now() < oldest.forbiddenFrom) return;
    revocations.shift();
    await send({ user: learner, ...oldest });
  }

  async function read() {
    await send({ user: reader, path: topic });
    await send({ user: reader, path: stream });
  }

  const visit = () => send({ path: '/education/tree' });
  const use = () => send({ user: users.counted, path: '/auth/profile' });
  return [takeNotes, teach, editProfile, enroll, closeSubject, upload, apply, intrude, read, visit, use];
}
