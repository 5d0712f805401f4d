import { unwrap } from '@lms/client';
import { assert, type DemoUser, expectEventually, expectStatus, printStep } from './session.ts';
import type { Course, Materials } from './teaching.ts';

/** Everyone may read the outline; the protected content requires an approved enrollment. */
export async function enroll(
  users: { anyone: DemoUser; admin: DemoUser; learner: DemoUser },
  { subjectId, topicId }: Course,
  { documentKey }: Materials,
): Promise<string> {
  const [anyone, admin, learner] = [users.anyone.client, users.admin.client, users.learner.client];
  printStep('The outline is public; the content is only for enrolled learners.');
  const outline = await unwrap(anyone.GET('/api/education/topics/{id}', { params: { path: { id: topicId } } }));
  assert(outline.content === null && !outline.access.granted, 'the content should not be readable without a token');
  await expectStatus(403, learner.GET('/api/s3/document/stream', { params: { query: { key: documentKey } } }));

  printStep('The learner requests an enrollment, and the administrator approves it.');
  const body = { subjectId, message: 'I would like to learn this.' };
  const { id } = await unwrap(learner.POST('/api/enrollment/request', { body }));
  await expectStatus(409, learner.POST('/api/enrollment/request', { body }));
  await unwrap(admin.GET('/api/admin/enrollment/pending', { params: { query: { order: 'desc', limit: 5 } } }));
  await unwrap(admin.PUT('/api/admin/enrollment/{id}/approve', { params: { path: { id } } }));
  return id;
}

/** A CSV file enrolls many users; the same file again changes nothing. */
export async function useRosters(
  { client: admin }: DemoUser,
  { client: mentor }: DemoUser,
  { subjectId }: Course,
  emails: string[],
) {
  printStep('The administrator imports a roster: first a dry run, then the import. One line is wrong.');
  const lines = [...emails, 'unknown@lms.test'].map((email) => `${email},${subjectId}`);
  const file = new File([['email,subjectId', ...lines].join('\r\n')], 'roster.csv', { type: 'text/csv' });
  for (const dryRun of [true, false]) {
    const { counts } = await unwrap(admin.importRoster({ file, dryRun }));
    assert(counts.created === emails.length && counts.failed === 1, 'each line should have its own result');
  }
  const again = await unwrap(admin.importRoster({ file }));
  assert(again.counts.unchanged === emails.length, 'a repetition should change nothing');

  printStep('The mentor downloads the learners with their progress as CSV.');
  const params = { path: { id: subjectId } };
  const download = mentor.GET('/api/mentor/subjects/{id}/learners.csv', { params, parseAs: 'text' });
  const { data } = await expectStatus(200, download);
  for (const email of emails) assert(data?.includes(email) === true, `the roster should contain ${email}`);
}

/** Reads, watches and completes a topic, writes a note, and checks what remains after a withdrawal. */
export async function learn(
  { client, fetch }: DemoUser,
  { subjectId, topicId }: Course,
  { documentKey, document }: Materials,
  enrollmentId: string,
) {
  const params = { path: { id: topicId } };
  const stream = (headers: Record<string, string> = {}) => {
    const query = { key: documentKey };
    return client.GET('/api/s3/document/stream', { params: { query }, headers, parseAs: 'arrayBuffer' });
  };
  const readProgress = () =>
    unwrap(client.GET('/api/learning/subjects/{id}/progress', { params: { path: { id: subjectId } } }));

  printStep('Now the learner can read the topic and download the document, completely or a range of it.');
  const topic = await unwrap(client.GET('/api/education/topics/{id}', { params }));
  assert(topic.access.granted && typeof topic.content === 'string', 'the learner should read the content');
  const { data } = await stream();
  const isWhole = data instanceof ArrayBuffer && document.equals(Buffer.from(data));
  assert(isWhole, 'the downloaded bytes should be those that were uploaded');
  await expectStatus(206, stream({ range: 'bytes=0-99' }));

  printStep('The video plays in a plain <video> tag, with a signed URL that expires soon.');
  const { url } = await unwrap(client.POST('/api/education/topics/{id}/video/playback', { params }));
  const video = await fetch(new Request(url, { headers: { range: 'bytes=0-1023' } }));
  assert(video.status === 206, 'the URL should be sufficient');

  printStep('The learner stores the playback position, completes the topic and writes a note.');
  const position = { positionSeconds: 2, durationSeconds: 4 };
  await unwrap(client.PUT('/api/learning/topics/{id}/position', { params, body: position }));
  await unwrap(client.PUT('/api/learning/topics/{id}/completion', { params }));
  const { completed, percent } = await readProgress();
  assert(completed === 1 && percent === 50, 'one of two topics should be 50 percent');
  const note = { content: 'Chlorophyll reflects green.', positionSeconds: 2 };
  await unwrap(client.POST('/api/learning/topics/{id}/notes', { params, body: note }));

  printStep('The learner withdraws. The content is protected again; the progress and the notes remain.');
  await unwrap(client.POST('/api/enrollment/{id}/withdraw', { params: { path: { id: enrollmentId } } }));
  await expectEventually(403, () => stream());
  const after = await unwrap(client.GET('/api/education/topics/{id}', { params }));
  assert(after.content === null && after.access.reason === 'ENROLLMENT_REQUIRED', 'the content should be protected');
  await readProgress();
  const notes = await unwrap(client.GET('/api/learning/notes'));
  const isKept = notes.some(({ content }) => content === note.content);
  assert(isKept, 'the note should still exist');
}
