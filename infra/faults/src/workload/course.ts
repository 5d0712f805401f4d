import { register, signIn } from 'local/running-stack';
import { formOf, type Journal, type User, unique } from './journal.ts';

export type Course = Awaited<ReturnType<typeof createCourse>>;

/** Registers the users at the identity provider. Both admins are named in the settings. Only one user has a quota. */
async function createUsers({ send }: Journal, providerUrl: string) {
  async function create(name: string): Promise<User> {
    const email = `${name}@workload.test`;
    await register(providerUrl, { email, firstName: name, lastName: 'Workload' });
    const user = { email, token: await signIn(providerUrl, email), id: '', identityProviderId: '' };
    const { data } = await send(user, 'GET /auth/profile');
    return { ...user, ...data };
  }
  const users = {
    admin: await create('admin'),
    otherAdmin: await create('other-admin'),
    mentor: await create('mentor'),
    reader: await create('reader'),
    learner: await create('learner'),
    applicant: await create('applicant'),
    outsider: await create('outsider'),
    counted: await create('counted'),
  };
  await send(users.admin, `POST /users/${users.mentor.id}/roles`, { json: { role: 'MENTOR' } });
  await send(users.admin, `PUT /users/${users.counted.id}`, { json: { plan: 'PRO' } });
  return users;
}

/** The users, a subject with a topic that has a document, a topic for films, and two learners who are enrolled. */
export async function createCourse(journal: Journal, providerUrl: string) {
  const { send } = journal;
  const users = await createUsers(journal, providerUrl);
  const { admin, mentor } = users;

  // Each returns the id of what it has created, or an empty string.
  async function createNode(kind: 'level' | 'grade' | 'subject' | 'topic', fields: object) {
    const description = unique(kind);
    const json = { name: description, description, ...fields };
    const { data } = await send(admin, `POST /admin/education/${kind}s`, {
      json,
      write: ['content.node', description],
    });
    return data.id ?? '';
  }
  const educationLevelId = await createNode('level', {});
  const gradeId = await createNode('grade', { level: 'primary', educationLevelId });
  const createSubject = (mentorship = {}) => createNode('subject', { gradeId, ...mentorship });
  const createTopic = (subjectId: string) => createNode('topic', { subjectId, content: 'Only for learners' });

  const enroll = (userId: string, subjectId: string) =>
    send(admin, 'POST /admin/enrollment', { json: { userId, subjectId } });
  const uploadDocument = (topicId: string, name: string) =>
    send(mentor, 'POST /s3/document/upload', {
      form: formOf('file', `The document ${name}`, 'document.txt', { topicId, metadata: JSON.stringify({ name }) }),
      write: ['content.document', name],
    });

  const subjectId = await createSubject({ mentorId: mentor.identityProviderId, mentorEmail: mentor.email });
  const topicId = await createTopic(subjectId);
  const filmTopicId = await createTopic(subjectId);
  for (const { id } of [users.reader, users.learner]) await enroll(id, subjectId);
  const { status, text, data } = await uploadDocument(topicId, unique('document'));
  if (!data.key) throw new Error(`the course is not complete: ${status} ${text}`);
  const course = { subjectId, topicId, filmTopicId, documentKey: data.key };
  return { users, course, createSubject, createTopic, enroll, uploadDocument };
}
