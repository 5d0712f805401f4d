import { register, signIn } from 'local/running-stack';
import { fieldOf, type Journal, type User } from './journal.ts';

export type Users = Awaited<ReturnType<typeof createUsers>>;
export type Course = Awaited<ReturnType<typeof createCourse>>;

/** Registers users at the identity provider and gives them their roles. Only one of them has a quota. */
export async function createUsers({ send }: Journal, providerUrl: string) {
  async function open(email: string): Promise<User> {
    const user = { id: '', email, identityProviderId: '', token: await signIn(providerUrl, email) };
    const profile = await send('GET /auth/profile', { user });
    return { ...user, id: fieldOf(profile, 'id'), identityProviderId: fieldOf(profile, 'identityProviderId') };
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
export async function createCourse(journal: Journal, { admin: user, mentor, reader, learner }: Users) {
  const { create, send } = journal;
  const level = { name: unique('Level'), description: 'd' };
  const educationLevelId = await create('/admin/education/levels', { user, json: level });
  const grade = { name: unique('Grade'), description: 'd', level: 'primary', educationLevelId };
  const gradeId = await create('/admin/education/grades', { user, json: grade });
  const subjectId = await createSubject(journal, user, gradeId, mentor);
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

let count = 0;
/** A text that no other write uses. */
export function unique(name: string): string {
  count += 1;
  return `${name} ${count}`;
}

export function createSubject({ create }: Journal, user: User, gradeId: string, mentor?: User) {
  const json = { name: unique('Subject'), description: 'd', gradeId };
  const mentorJson = mentor && { mentorId: mentor.identityProviderId, mentorEmail: mentor.email };
  return create('/admin/education/subjects', { user, json: { ...json, ...mentorJson } });
}

export function createTopic({ create }: Journal, user: User, subjectId: string) {
  const description = unique('topic');
  const json = { name: unique('Topic'), description, content: 'Only for learners', subjectId };
  return create('/admin/education/topics', { user, json, write: { fact: 'topic', key: description } });
}

export function documentForm(topicId: string, name: string): FormData {
  const form = new FormData();
  form.set('topicId', topicId);
  form.set('metadata', JSON.stringify({ name }));
  form.set('file', new Blob([`The document ${name}`]), 'document.txt');
  return form;
}
