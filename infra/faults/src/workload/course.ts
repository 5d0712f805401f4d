import { type Call, fieldOf, type Journal, type User } from './journal.ts';

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
export async function createCourse(
  journal: Journal,
  { admin, mentor, learners }: { admin: User; mentor: User; learners: User[] },
): Promise<Course> {
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
