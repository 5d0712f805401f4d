import { register, signIn } from 'local/running-stack';
import { type Call, fieldOf, type Journal, type User } from './journal.ts';

export interface Users {
  admins: [User, User];
  mentor: User;
  learners: [User, User];
  applicant: User;
  outsider: User;
  /** The only user with a quota. */
  counted: User;
}

/** Registers users at the identity provider and gives them their roles. */
export async function createUsers({ send }: Journal, providerUrl: string): Promise<Users> {
  const profileOf = async (email: string): Promise<User> => {
    const user = { id: '', email, identityProviderId: '', token: await signIn(providerUrl, email) };
    const profile = await send({ user, path: '/auth/profile', repeat: true });
    if (profile.status !== 200) throw new Error(`${email}: ${profile.status} ${JSON.stringify(profile.data)}`);
    return { ...user, id: fieldOf(profile, 'id'), identityProviderId: fieldOf(profile, 'identityProviderId') };
  };
  const create = async (name: string): Promise<User> => {
    const email = `${name}-${Date.now().toString(36)}@lms.test`;
    await register(providerUrl, { email, firstName: name, lastName: 'Workload' });
    return profileOf(email);
  };

  const admin = await profileOf('admin@lms.test');
  const users: Users = {
    admins: [admin, await create('admin')],
    mentor: await create('mentor'),
    learners: [await create('one'), await create('other')],
    applicant: await create('applicant'),
    outsider: await create('outsider'),
    counted: await create('counted'),
  };
  const assign = ({ id }: User, role: string) =>
    send({ user: admin, method: 'POST', path: `/users/${id}/roles`, json: { role }, repeat: true });
  await assign(users.admins[1], 'ADMIN');
  await assign(users.mentor, 'MENTOR');
  const plan = { user: admin, path: `/users/${users.counted.id}`, json: { plan: 'PRO' } };
  await send({ ...plan, method: 'PUT', repeat: true });
  return users;
}

export interface Course {
  gradeId: string;
  subjectId: string;
  topicId: string;
  /** The topic of the films. */
  filmTopicId: string;
  documentKey: string;
}

export type Send = (call: Call) => Promise<string>;

/** Sends a write that is repeated until it succeeds and returns the id, or an empty string if it did not succeed. */
export const createWriter =
  ({ send }: Journal): Send =>
  async (call) =>
    fieldOf(await send({ method: 'POST', repeat: true, ...call }), 'id');

let count = 0;
/** A text that no other write uses. */
export function unique(name: string): string {
  count += 1;
  return `${name} ${process.pid} ${Date.now().toString(36)} ${count}`;
}

export const createSubject = (write: Send, admin: User, gradeId: string, mentor?: User) =>
  write({
    user: admin,
    path: '/admin/education/subjects',
    json: {
      name: unique('Subject'),
      description: 'd',
      gradeId,
      ...(mentor && { mentorId: mentor.identityProviderId, mentorEmail: mentor.email }),
    },
  });

export function createTopic(write: Send, admin: User, subjectId: string) {
  const description = unique('topic');
  return write({
    user: admin,
    path: '/admin/education/topics',
    json: { name: unique('Topic'), description, content: 'Only for learners', subjectId },
    write: { fact: 'topic', key: description, value: 'present' },
  });
}

export function documentForm(topicId: string, name: string): FormData {
  const form = new FormData();
  form.set('topicId', topicId);
  form.set('metadata', JSON.stringify({ name }));
  form.set('file', new Blob([`The document ${name}`]), 'document.txt');
  return form;
}

/** A subject with one topic that has a document, and two learners who are enrolled. */
export async function createCourse(journal: Journal, { admins: [admin], mentor, learners }: Users): Promise<Course> {
  const write = createWriter(journal);
  const level = { name: unique('Level'), description: 'd' };
  const educationLevelId = await write({ user: admin, path: '/admin/education/levels', json: level });
  const grade = { name: unique('Grade'), description: 'd', level: 'primary', educationLevelId };
  const gradeId = await write({ user: admin, path: '/admin/education/grades', json: grade });
  const subjectId = await createSubject(write, admin, gradeId, mentor);
  const topicId = await createTopic(write, admin, subjectId);
  const filmTopicId = await createTopic(write, admin, subjectId);
  for (const { id: userId } of learners)
    await write({ user: admin, path: '/admin/enrollment', json: { userId, subjectId } });
  const form = documentForm(topicId, unique('document'));
  const upload = await journal.send({ user: mentor, method: 'POST', path: '/s3/document/upload', form });
  const documentKey = fieldOf(upload, 'key');
  if (!documentKey) throw new Error(`the course is not complete: ${upload.status} ${JSON.stringify(upload.data)}`);
  return { gradeId, subjectId, topicId, filmTopicId, documentKey };
}
