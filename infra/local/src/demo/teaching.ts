import { readFile } from 'node:fs/promises';
import { unwrap } from '@lms/client';
import { untilFinished } from '../job.ts';
import { assert, type DemoUser, expectEventually, expectStatus, printStep } from './session.ts';

/** A user applies to be a mentor and gets the role when an administrator approves. */
export async function applyAsMentor({ client: admin }: DemoUser, { client: mentor }: DemoUser) {
  printStep('The new users are registered. One of them applies to be a mentor.');
  const before = await unwrap(mentor.GET('/api/auth/profile'));
  assert(!before.roles.includes('MENTOR'), 'a new user should be a learner');
  const body = { motivation: 'I have taught biology for nine years.', qualifications: 'MSc Biology' };
  const application = await unwrap(mentor.POST('/api/mentor/apply', { body }));
  await expectStatus(409, mentor.POST('/api/mentor/apply', { body }));

  printStep('The administrator finds the application and approves it.');
  await unwrap(admin.GET('/api/admin/mentor/pending', { params: { query: { order: 'desc', limit: 5 } } }));
  const params = { path: { id: application.id } };
  await unwrap(admin.PUT('/api/admin/mentor/{id}/approve', { params, body: { note: 'Welcome!' } }));
  const { identityProviderId, email, roles } = await unwrap(mentor.GET('/api/auth/profile'));
  assert(roles.includes('MENTOR'), 'the approval should assign the role MENTOR');
  return { mentorId: identityProviderId ?? '', mentorEmail: email };
}

type Mentor = Awaited<ReturnType<typeof applyAsMentor>>;
export type Course = Awaited<ReturnType<typeof buildCourse>>;
export type Materials = Awaited<ReturnType<typeof uploadMaterials>>;

/** A level, a grade, the mentor's subject, and two topics. */
export async function buildCourse({ client }: DemoUser, mentor: Mentor, suffix: string) {
  printStep('The administrator creates a level, a grade, a subject for the mentor and two topics.');
  const name = `Secondary school ${suffix}`;
  const levelBody = { name, description: 'Years 7 to 12' };
  const { id: educationLevelId } = await unwrap(client.POST('/api/admin/education/levels', { body: levelBody }));
  const gradeText = { name: 'Year 7', description: 'The first year' };
  const gradeBody = { ...gradeText, level: 'secondary' as const, educationLevelId };
  const { id: gradeId } = await unwrap(client.POST('/api/admin/education/grades', { body: gradeBody }));
  const subjectBody = { name: 'Biology', description: 'Living things', gradeId, ...mentor };
  const { id: subjectId } = await unwrap(client.POST('/api/admin/education/subjects', { body: subjectBody }));
  const topicBody = { subjectId, description: 'How plants use light', content: 'Light becomes sugar.' };
  const createTopic = (topic: string) =>
    unwrap(client.POST('/api/admin/education/topics', { body: { ...topicBody, name: topic } }));
  const { id: topicId } = await createTopic('Photosynthesis');
  await createTopic('Respiration');

  printStep('Names are unique below their parent.');
  await expectStatus(409, client.POST('/api/admin/education/levels', { body: levelBody }));
  return { subjectId, topicId };
}

const asset = (name: string) => readFile(new URL(`../../assets/${name}`, import.meta.url));

/** Uploads a document and a video, which are in the topic as soon as the upload has a response. */
export async function uploadMaterials({ client }: DemoUser, { topicId }: Course) {
  printStep('The mentor lists their subjects.');
  await expectEventually(200, () => client.GET('/api/mentor/subjects'));

  printStep('The mentor uploads a document and a video. The topic contains both as soon as the upload has a response.');
  const document = await asset('whole-numbers.pdf');
  const file = new File([document], 'handout.pdf', { type: 'application/pdf' });
  const handout = { topicId, file, name: 'Handout', description: 'To print and fill in' };
  const uploaded = await unwrap(client.uploadDocument(handout));
  const video = new File([await asset('number-line.mp4')], 'lesson.mp4', { type: 'video/mp4' });
  await unwrap(client.uploadVideo({ topicId, file: video }));

  const topic = await unwrap(client.GET('/api/education/topics/{id}', { params: { path: { id: topicId } } }));
  assert(topic.documents[0]?.id === uploaded.id, 'the topic should contain the document');
  assert(topic.hasVideo, 'the topic should contain the video');
  return { documentKey: uploaded.key, document };
}

/** A file brings a course in, with a dry run first, and an export takes it out again. */
export async function carryCurriculum({ client }: DemoUser, suffix: string) {
  printStep('The administrator imports a course from a file: first a dry run, then the import.');
  const text = { description: 'From a file' };
  const topics = ['Points', 'Lines'].map((name) => ({ ...text, name, externalId: `${name}-${suffix}`, content: name }));
  const subjects = [{ ...text, name: 'Geometry', externalId: `geometry-${suffix}`, topics }];
  const grades = [{ ...text, name: 'Year 8', externalId: `year-8-${suffix}`, level: 'secondary', subjects }];
  const levels = [{ ...text, name: `Imported school ${suffix}`, externalId: `school-${suffix}`, grades }];
  const file = new File([JSON.stringify({ version: 1, levels })], 'course.json', { type: 'application/json' });
  const checked = await unwrap(client.importCurriculum({ file, dryRun: true }));
  assert(checked.counts.created === 5 && checked.issueCount === 0, 'the file should create five items');
  const importing = await unwrap(client.importCurriculum({ file }));
  const readImport = () =>
    unwrap(client.GET('/api/admin/education/imports/{id}', { params: { path: { id: importing.id } } }));
  const { status, counts } = await untilFinished(importing, readImport, { pollMs: 500 });
  assert(status === 'completed' && counts.created === 5, 'the import should create five items');

  printStep('The administrator exports the subject again, and downloads the file by its signed address.');
  const query = { externalId: `geometry-${suffix}` };
  const [subject] = await unwrap(client.GET('/api/admin/education/subjects', { params: { query } }));
  const body = { format: 'json', rootType: 'subject', rootId: subject?.id ?? null } as const;
  const exporting = await unwrap(client.POST('/api/admin/education/exports', { body }));
  const readExport = () =>
    unwrap(client.GET('/api/admin/education/exports/{id}', { params: { path: { id: exporting.id } } }));
  const { downloadUrl } = await untilFinished(exporting, readExport, { pollMs: 500 });
  const downloaded = await (await fetch(downloadUrl ?? '')).text();
  for (const { externalId } of topics) assert(downloaded.includes(externalId), `the file should contain ${externalId}`);
}
