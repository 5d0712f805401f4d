import { setTimeout as pause } from 'node:timers/promises';
import type { System } from '../system/system.ts';
import { type Course, createCourse } from './course.ts';
import { createArchive, makeFilm } from './files.ts';
import { createJournal, formOf, type Journal, unique } from './journal.ts';

/** How long a revoked access may remain in caches. */
const revocationMs = 10_000;
/** After this time another film is uploaded, whatever has become of the last one. */
const replaceAfterMs = 60_000;

export type Workload = Awaited<ReturnType<typeof startWorkload>>;

/** Users of all roles, each with one request after the other, until the end. */
export async function startWorkload({ gateways, addresses, directory }: System, breathMs: number, slowMs: number) {
  const journal = createJournal(gateways, slowMs);
  const course = await createCourse(journal, addresses.identityProvider.url);
  const film = makeFilm(directory);
  const steps = createSteps(journal, course, film);
  let isPaused = true;
  let running: Promise<unknown> = Promise.resolve();

  async function repeat(step: () => Promise<unknown>) {
    for (; !isPaused; await pause(breathMs)) await step();
  }

  return {
    journal,
    users: course.users,
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

/** What the users do again and again, each one step at a time. */
function createSteps({ send }: Journal, { users, course, ...actions }: Course, film: Buffer | undefined) {
  const { createSubject, createTopic, enroll, uploadDocument } = actions;
  const { admin, otherAdmin, mentor, reader, learner, applicant, outsider, counted } = users;
  const topic = `/education/topics/${course.topicId}`;
  const stream = `/s3/document/stream?key=${course.documentKey}`;
  const revocations: { path: string; forbiddenFrom: number }[] = [];
  let openApplication: string | undefined;
  let openImport: string | undefined;
  let filmUploadedAt = Number.NEGATIVE_INFINITY;

  /** Both admins decide at the same time. Returns whether the approval and the rejection were acknowledged. */
  async function decide(fact: string, path: string, key: string) {
    const contest = unique('contest');
    const decisions = await Promise.all([
      send(admin, `PUT ${path}/approve`, { contest, write: [fact, key, 'APPROVED'] }),
      send(otherAdmin, `PUT ${path}/reject`, { contest, write: [fact, key, 'REJECTED'] }),
    ]);
    return decisions.map(({ isAcknowledged }) => isAcknowledged);
  }

  async function takeNotes() {
    const content = unique('note');
    const path = `/learning/topics/${course.topicId}`;
    await send(learner, `POST ${path}/notes`, { json: { content }, write: ['enrollment.note', content] });
    await send(learner, `PUT ${path}/position`, { json: { positionSeconds: 3, durationSeconds: 9 } });
  }

  async function teach() {
    const id = await createTopic(course.subjectId);
    const name = unique('Renamed');
    if (id)
      await send(admin, `PUT /admin/education/topics/${id}`, { json: { name }, write: ['content.name', id, name] });
  }

  async function editProfile() {
    const firstName = unique('Name');
    const write = ['identity.firstName', learner.id, firstName] as const;
    await send(learner, 'PUT /auth/profile', { json: { firstName }, write });
  }

  async function requestEnrollment() {
    const subjectId = await createSubject();
    const topicId = subjectId && (await createTopic(subjectId));
    if (!topicId) return;
    const message = unique('request');
    const write = ['enrollment.request', message] as const;
    const { data } = await send(learner, 'POST /enrollment/request', { json: { subjectId, message }, write });
    if (!data.id) return;
    const path = `/admin/enrollment/${data.id}`;
    const [isApproved] = await decide('enrollment.status', path, data.id);
    if (!isApproved) return;
    await send(learner, `GET /education/topics/${topicId}`);
    const revoked = await send(admin, `PUT ${path}/revoke`, { write: ['enrollment.status', data.id, 'REVOKED'] });
    if (revoked.isAcknowledged)
      revocations.push({ path: `/education/topics/${topicId}`, forbiddenFrom: revoked.endedAt + revocationMs });
  }

  async function closeSubject() {
    const subjectId = await createSubject();
    if (!subjectId) return;
    await enroll(learner.id, subjectId);
    await send(admin, `DELETE /admin/education/subjects/${subjectId}`);
  }

  async function upload() {
    const name = unique('document');
    const { isAcknowledged, endedAt, data } = await uploadDocument(course.topicId, name);
    if (!isAcknowledged || endedAt % 2 === 0) return;
    const write = ['content.document', name, 'absent'] as const;
    await send(mentor, `DELETE /admin${topic}/documents/${data.id}`, { write });
  }

  async function apply() {
    const motivation = unique('application');
    const write = ['identity.application', motivation] as const;
    openApplication ??= (await send(applicant, 'POST /mentor/apply', { json: { motivation }, write })).data.id;
    if (!openApplication) return;
    const decisions = await decide('identity.review', `/admin/mentor/${openApplication}`, openApplication);
    if (!decisions.includes(true)) return;
    openApplication = undefined;
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
      const { status, data } = await send(admin, `GET ${path}/${openImport}`);
      const hasEnded = ['completed', 'failed', 'cancelled'].includes(data.status ?? '');
      if (hasEnded || status === 404) openImport = undefined;
      return;
    }
    const fileName = `${unique('Import')}.zip`;
    const form = formOf('file', await createArchive(fileName), fileName);
    openImport = (await send(admin, `POST ${path}`, { form, write: ['content.import', fileName] })).data.id;
  }

  /** Replaces the video of a topic when its renditions are ready. */
  async function replaceFilm() {
    const path = `topics/${course.filmTopicId}/video`;
    if (!film) return;
    if (Date.now() < filmUploadedAt + replaceAfterMs) {
      const { data } = await send(mentor, `GET /education/${path}/processing`);
      if (!['ready', 'failed'].includes(data.status ?? '')) return;
    }
    const fileName = `${unique('Film')}.mp4`;
    const form = formOf('video', film, fileName);
    const write = ['content.film', course.filmTopicId, fileName] as const;
    const uploaded = await send(mentor, `PUT /admin/education/${path}`, { form, write });
    if (uploaded.isAcknowledged) filmUploadedAt = Date.now();
  }

  const visit = () => send(undefined, 'GET /education/tree');
  const use = () => send(counted, 'GET /auth/profile');
  const changes = [takeNotes, teach, editProfile, requestEnrollment, closeSubject, upload, apply, importArchive];
  return [...changes, replaceFilm, intrude, read, visit, use];
}
