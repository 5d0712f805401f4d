import { setTimeout as pause } from 'node:timers/promises';
import { register, signIn } from 'local/running-stack';
import type { System } from '../system/system.ts';
import { createArchive, makeFilm } from './files.ts';
import { createJournal, fieldOf, formOf, isAcknowledged, type Journal, type User, unique } from './journal.ts';

/** How long a revoked access may remain in caches. */
const revocationMs = 10_000;
/** After this time another film is uploaded, whatever has become of the last one. */
const replaceAfterMs = 60_000;

export type Workload = Awaited<ReturnType<typeof startWorkload>>;
type Users = Awaited<ReturnType<typeof createUsers>>;
type Course = Awaited<ReturnType<typeof createCourse>>;

/** Users of all roles, each with one request after the other, until the end. */
export async function startWorkload({ gateways, urlOf, directory }: System, breathMs: number, slowMs: number) {
  const journal = createJournal(gateways, slowMs);
  const users = await createUsers(journal, urlOf('identity-provider'));
  const course = await createCourse(journal, users);
  const steps = createSteps(journal, users, course);
  const film = await makeFilm(directory);
  if (film) {
    const replaceFilm = createFilmStep(journal, users.mentor, course.filmTopicId, film);
    // There is a video before the first fault.
    await replaceFilm();
    steps.push(replaceFilm);
  }
  let isPaused = true;
  let running: Promise<unknown> = Promise.resolve();

  async function repeat(step: () => Promise<unknown>) {
    for (; !isPaused; await pause(breathMs)) await step();
  }

  return {
    journal,
    users,
    hasFilms: film !== undefined,
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
    return { ...user, id: fieldOf(await send(user, 'GET /auth/profile'), 'id') };
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
  const { admin, otherAdmin, mentor, counted } = users;
  await send(admin, `POST /users/${otherAdmin.id}/roles`, { json: { role: 'ADMIN' } });
  await send(admin, `POST /users/${mentor.id}/roles`, { json: { role: 'MENTOR' } });
  await send(admin, `PUT /users/${counted.id}`, { json: { plan: 'PRO' } });
  return users;
}

/** A subject with a topic that has a document, a topic for films, and two learners who are enrolled. */
async function createCourse(journal: Journal, { admin, mentor, reader, learner }: Users) {
  const { create, send } = journal;
  const level = { name: unique('Level'), description: 'd' };
  const educationLevelId = await create(admin, '/admin/education/levels', { json: level });
  const grade = { name: unique('Grade'), description: 'd', level: 'primary', educationLevelId };
  const gradeId = await create(admin, '/admin/education/grades', { json: grade });
  const mentorId = fieldOf(await send(mentor, 'GET /auth/profile'), 'identityProviderId');
  const subjectId = await createSubject(journal, admin, gradeId, { mentorId, mentorEmail: mentor.email });
  const topicId = await createTopic(journal, admin, subjectId);
  const filmTopicId = await createTopic(journal, admin, subjectId);
  for (const { id: userId } of [reader, learner])
    await create(admin, '/admin/enrollment', { json: { userId, subjectId } });
  const form = documentForm(topicId, unique('document'));
  const upload = await send(mentor, 'POST /s3/document/upload', { form });
  const documentKey = fieldOf(upload, 'key');
  if (!documentKey) throw new Error(`the course is not complete: ${upload.status} ${JSON.stringify(upload.data)}`);
  return { gradeId, subjectId, topicId, filmTopicId, documentKey };
}

const createSubject = ({ create }: Journal, user: User, gradeId: string, mentor?: object) =>
  create(user, '/admin/education/subjects', {
    json: { name: unique('Subject'), description: 'd', gradeId, ...mentor },
  });

function createTopic({ create }: Journal, user: User, subjectId: string) {
  const description = unique('topic');
  const json = { name: unique('Topic'), description, content: 'Only for learners', subjectId };
  return create(user, '/admin/education/topics', { json, write: ['content.topic', description] });
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
  let openImport = '';

  /** Both admins decide at the same time. Returns whether the approval and the rejection were acknowledged. */
  async function decide(fact: string, path: string, key: string) {
    const contest = unique('contest');
    const [approval, rejection] = await Promise.all([
      send(admin, `PUT ${path}/approve`, { contest, write: [fact, key, 'APPROVED'] }),
      send(otherAdmin, `PUT ${path}/reject`, { contest, write: [fact, key, 'REJECTED'] }),
    ]);
    return { isApproved: isAcknowledged(approval), isRejected: isAcknowledged(rejection) };
  }

  async function takeNotes() {
    const content = unique('note');
    const path = `/learning/topics/${course.topicId}`;
    await create(learner, `${path}/notes`, { json: { content }, write: ['enrollment.note', content] });
    await send(learner, `PUT ${path}/position`, { json: { positionSeconds: 3, durationSeconds: 9 } });
  }

  async function teach() {
    const id = await createTopic(journal, admin, course.subjectId);
    const name = unique('Renamed');
    if (id)
      await send(admin, `PUT /admin/education/topics/${id}`, { json: { name }, write: ['content.name', id, name] });
  }

  async function editProfile() {
    const firstName = unique('Name');
    const write = ['identity.firstName', learner.id, firstName] as const;
    await send(learner, 'PUT /auth/profile', { json: { firstName }, write });
  }

  async function enroll() {
    const subjectId = await createSubject(journal, admin, course.gradeId);
    const topicId = subjectId && (await createTopic(journal, admin, subjectId));
    if (!topicId) return;
    const message = unique('request');
    const write = ['enrollment.request', message] as const;
    const id = await create(learner, '/enrollment/request', { json: { subjectId, message }, write });
    const path = `/admin/enrollment/${id}`;
    if (!id || !(await decide('enrollment.status', path, id)).isApproved) return;
    await send(learner, `GET /education/topics/${topicId}`);
    const revoked = await send(admin, `PUT ${path}/revoke`, { write: ['enrollment.status', id, 'REVOKED'] });
    if (isAcknowledged(revoked))
      revocations.push({ path: `/education/topics/${topicId}`, forbiddenFrom: revoked.endedAt + revocationMs });
  }

  async function closeSubject() {
    const subjectId = await createSubject(journal, admin, course.gradeId);
    if (!subjectId) return;
    await create(admin, '/admin/enrollment', { json: { userId: learner.id, subjectId } });
    await send(admin, `DELETE /admin/education/subjects/${subjectId}`);
  }

  async function upload() {
    const key = unique('document');
    const form = documentForm(course.topicId, key);
    const uploaded = await send(mentor, 'POST /s3/document/upload', { form, write: ['content.document', key] });
    if (!isAcknowledged(uploaded) || uploaded.endedAt % 2 === 0) return;
    const path = `/admin${topic}/documents/${fieldOf(uploaded, 'id')}`;
    await send(mentor, `DELETE ${path}`, { write: ['content.document', key, 'absent'] });
  }

  async function apply() {
    const motivation = unique('application');
    const write = ['identity.application', motivation] as const;
    openApplication ||= await create(applicant, '/mentor/apply', { json: { motivation }, write });
    if (!openApplication) return;
    const decision = await decide('identity.review', `/admin/mentor/${openApplication}`, openApplication);
    if (!decision.isApproved && !decision.isRejected) return;
    openApplication = '';
    await send(admin, `DELETE /users/${applicant.id}/roles?role=MENTOR`);
  }

  async function intrude() {
    await send(outsider, `GET ${topic}`, { forbiddenFrom: 0 });
    await send(outsider, `GET ${stream}`, { forbiddenFrom: 0 });
    const [oldest] = revocations;
    if (!oldest || Date.now() < oldest.forbiddenFrom) return;
    revocations.shift();
    await send(learner, `GET ${oldest.path}`, { forbiddenFrom: oldest.forbiddenFrom });
  }

  async function read() {
    await send(reader, `GET ${topic}`);
    await send(reader, `GET ${stream}`);
  }

  /** Imports an archive when the last import has ended. */
  async function importArchive() {
    const path = '/admin/education/imports';
    if (openImport) {
      const job = await send(admin, `GET ${path}/${openImport}`);
      const hasEnded = ['completed', 'failed', 'cancelled'].includes(fieldOf(job, 'status'));
      if (hasEnded || job.status === 404) openImport = '';
      return;
    }
    const fileName = `${unique('Import')}.zip`;
    const form = formOf('file', await createArchive(fileName), fileName);
    openImport = await create(admin, path, { form, write: ['content.import', fileName] });
  }

  const visit = () => send(undefined, 'GET /education/tree');
  const use = () => send(counted, 'GET /auth/profile');
  return [takeNotes, teach, editProfile, enroll, closeSubject, upload, apply, intrude, read, importArchive, visit, use];
}

/** A mentor replaces the video of a topic when its renditions are ready. */
function createFilmStep({ send }: Journal, mentor: User, topicId: string, film: Buffer) {
  let uploadedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (Date.now() < uploadedAt + replaceAfterMs) {
      const processing = await send(mentor, `GET /education/topics/${topicId}/video/processing`);
      if (!isAcknowledged(processing) || !['ready', 'failed'].includes(fieldOf(processing, 'status'))) return;
    }
    const fileName = `${unique('Film')}.mp4`;
    const form = formOf('video', film, fileName);
    const write = ['content.film', topicId, fileName] as const;
    const uploaded = await send(mentor, `PUT /admin/education/topics/${topicId}/video`, { form, write });
    if (isAcknowledged(uploaded)) uploadedAt = Date.now();
  };
}
