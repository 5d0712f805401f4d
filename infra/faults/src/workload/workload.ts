import { setTimeout as pause } from 'node:timers/promises';
import { register, signIn } from 'local/running-stack';
import type { System } from '../system/system.ts';
import { absent, createJournal, fieldOf, formOf, isAcknowledged, type Journal, type User, unique } from './journal.ts';
import { createUploads } from './uploads.ts';

/** How long a revoked access may remain in caches. */
const revocationMs = 10_000;

export type Workload = Awaited<ReturnType<typeof startWorkload>>;
type Users = Awaited<ReturnType<typeof createUsers>>;
type Course = Awaited<ReturnType<typeof createCourse>>;

/** Users of all roles, each with one request after the other, until the end. */
export async function startWorkload({ gateways, urlOf, directory }: System, breathMs: number) {
  const journal = createJournal(gateways);
  const users = await createUsers(journal, urlOf('identity-provider'));
  const course = await createCourse(journal, users);
  const { replaceFilm, importArchive } = await createUploads(journal, users, course.filmTopicId, directory);
  // There is a video before the first fault.
  await replaceFilm?.();
  const steps = [...createSteps(journal, users, course), importArchive, replaceFilm ?? []].flat();
  let isPaused = true;
  let running: Promise<unknown> = Promise.resolve();

  async function repeat(step: () => Promise<unknown>) {
    for (; !isPaused; await pause(breathMs)) await step();
  }

  return {
    journal,
    users,
    hasFilms: replaceFilm !== undefined,
    resume() {
      isPaused = false;
      running = Promise.all(steps.map(repeat));
    },
    /** Resolves when no request is running. */
    async pause() {
      isPaused = true;
      await running;
    },
  };
}

/** Registers users at the identity provider and gives them their roles. Only one of them has a quota. */
async function createUsers({ send }: Journal, providerUrl: string) {
  async function open(email: string): Promise<User> {
    const user = { id: '', email, token: await signIn(providerUrl, email) };
    return { ...user, id: fieldOf(await send('GET /auth/profile', { user }), 'id') };
  }
  async function create(name: string): Promise<User> {
    const email = `${name}@workload.test`;
    await register(providerUrl, { email, firstName: name, lastName: 'Workload' });
    return open(email);
  }
  const users = {
    admin: await open('admin@lms.test'),
    otherAdmin: await create('admin'),
    mentor: await create('mentor'),
    reader: await create('reader'),
    learner: await create('learner'),
    applicant: await create('applicant'),
    outsider: await create('outsider'),
    counted: await create('counted'),
  };
  const { admin: user, otherAdmin, mentor, counted } = users;
  await send(`POST /users/${otherAdmin.id}/roles`, { user, json: { role: 'ADMIN' } });
  await send(`POST /users/${mentor.id}/roles`, { user, json: { role: 'MENTOR' } });
  await send(`PUT /users/${counted.id}`, { user, json: { plan: 'PRO' } });
  return users;
}

/** A subject with a topic that has a document, a topic for films, and two learners who are enrolled. */
async function createCourse(journal: Journal, { admin: user, mentor, reader, learner }: Users) {
  const { create, send } = journal;
  const level = { name: unique('Level'), description: 'd' };
  const educationLevelId = await create('/admin/education/levels', { user, json: level });
  const grade = { name: unique('Grade'), description: 'd', level: 'primary', educationLevelId };
  const gradeId = await create('/admin/education/grades', { user, json: grade });
  const mentorId = fieldOf(await send('GET /auth/profile', { user: mentor }), 'identityProviderId');
  const subjectId = await createSubject(journal, user, gradeId, { mentorId, mentorEmail: mentor.email });
  const topicId = await createTopic(journal, user, subjectId);
  const filmTopicId = await createTopic(journal, user, subjectId);
  for (const { id: userId } of [reader, learner])
    await create('/admin/enrollment', { user, json: { userId, subjectId } });
  const form = documentForm(topicId, unique('document'));
  const upload = await send('POST /s3/document/upload', { user: mentor, form });
  const documentKey = fieldOf(upload, 'key');
  if (!documentKey) throw new Error(`the course is not complete: ${upload.status} ${JSON.stringify(upload.data)}`);
  return { gradeId, subjectId, topicId, filmTopicId, documentKey };
}

const createSubject = ({ create }: Journal, user: User, gradeId: string, mentor?: object) =>
  create('/admin/education/subjects', {
    user,
    json: { name: unique('Subject'), description: 'd', gradeId, ...mentor },
  });

function createTopic({ create }: Journal, user: User, subjectId: string) {
  const description = unique('topic');
  const json = { name: unique('Topic'), description, content: 'Only for learners', subjectId };
  return create('/admin/education/topics', { user, json, write: ['topic', description] });
}

const documentForm = (topicId: string, name: string) =>
  formOf('file', `The document ${name}`, 'document.txt', { topicId, metadata: JSON.stringify({ name }) });

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
      send(`PUT ${path}/approve`, { user: admin, write: [fact, key, 'APPROVED'] }),
      send(`PUT ${path}/reject`, { user: otherAdmin, write: [fact, key, 'REJECTED'] }),
    ]);
    journal.contests.push(decisions);
    return decisions.find(isAcknowledged)?.write?.[2];
  }

  async function takeNotes() {
    const content = unique('note');
    const path = `/learning/topics/${course.topicId}`;
    await create(`${path}/notes`, { user: learner, json: { content }, write: ['note', content] });
    await send(`PUT ${path}/position`, { user: learner, json: { positionSeconds: 3, durationSeconds: 9 } });
  }

  async function teach() {
    const topicId = await createTopic(journal, admin, course.subjectId);
    if (!topicId) return;
    const name = unique('Renamed');
    const write = ['topicName', topicId, name] as const;
    await send(`PUT /admin/education/topics/${topicId}`, { user: admin, json: { name }, write });
  }

  async function editProfile() {
    const firstName = unique('Name');
    await send('PUT /auth/profile', {
      user: learner,
      json: { firstName },
      write: ['firstName', learner.id, firstName],
    });
  }

  async function enroll() {
    const subjectId = await createSubject(journal, admin, course.gradeId);
    const topicId = subjectId && (await createTopic(journal, admin, subjectId));
    if (!topicId) return;
    const message = unique('request');
    const json = { subjectId, message };
    const id = await create('/enrollment/request', { user: learner, json, write: ['request', message] });
    const path = `/admin/enrollment/${id}`;
    if (!id || (await decide('enrollment', path, id)) !== 'APPROVED') return;
    await send(`GET /education/topics/${topicId}`, { user: learner });
    const revoked = await send(`PUT ${path}/revoke`, { user: admin, write: ['enrollment', id, 'REVOKED'] });
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
    const uploaded = await send('POST /s3/document/upload', { user: mentor, form, write: ['document', key] });
    if (!isAcknowledged(uploaded) || uploaded.endedAt % 2 === 0) return;
    const path = `/admin${topic}/documents/${fieldOf(uploaded, 'id')}`;
    await send(`DELETE ${path}`, { user: mentor, write: ['document', key, absent] });
  }

  async function apply() {
    const motivation = unique('application');
    const application = { user: applicant, json: { motivation }, write: ['application', motivation] } as const;
    openApplication ||= await create('/mentor/apply', application);
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
