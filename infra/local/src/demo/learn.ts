import type { Course } from './build-course.ts';
import type { DemoSession, DemoUser } from './demo-session.ts';
import { assert, expect, expectEventually, expectStatus } from './expect.ts';
import type { Materials } from './upload-materials.ts';

interface LearnOptions {
  learner: DemoUser;
  course: Course;
  materials: Materials;
  enrollmentId: string;
}

/** Reads, watches and completes a topic, writes a note, and checks what remains after a withdrawal. */
export async function learn(
  { baseUrl, printStep }: DemoSession,
  { learner, course, materials, enrollmentId }: LearnOptions,
) {
  const { client } = learner;
  const topicPath = { params: { path: { id: course.topicId } } };
  const stream = (headers: Record<string, string> = {}) =>
    client.GET('/api/s3/document/stream', {
      params: { query: { key: materials.documentKey } },
      headers,
      parseAs: 'arrayBuffer',
    });

  printStep('Now the learner can read the topic and download the document, completely or a range of it.');
  const topic = await expect(200, client.GET('/api/education/topics/{id}', topicPath));
  assert(topic.access.granted && typeof topic.content === 'string', 'the learner should read the content');
  const whole = await stream();
  assert(
    whole.data instanceof ArrayBuffer && materials.document.equals(Buffer.from(whole.data)),
    'the downloaded bytes should be those that were uploaded',
  );
  await expectStatus(206, stream({ range: 'bytes=0-99' }));

  printStep('The video plays in a plain <video> tag, with a signed URL that expires soon.');
  const playback = await expect(200, client.POST('/api/education/topics/{id}/video/playback', topicPath));
  const video = await learner.fetch(
    new Request(new URL(playback.url, baseUrl), { headers: { range: 'bytes=0-1023' } }),
  );
  assert(video.status === 206, 'the URL should be sufficient');

  printStep('The learner stores the playback position, completes the topic and writes a note.');
  await expect(
    200,
    client.PUT('/api/learning/topics/{id}/position', {
      ...topicPath,
      body: { positionSeconds: 2, durationSeconds: 4 },
    }),
  );
  await expect(200, client.PUT('/api/learning/topics/{id}/completion', topicPath));
  const progress = await expect(
    200,
    client.GET('/api/learning/subjects/{id}/progress', { params: { path: { id: course.subjectId } } }),
  );
  assert(progress.completed === 1 && progress.percent === 50, 'one of two topics should be 50 percent');
  const content = 'Chlorophyll reflects green.';
  await expect(
    201,
    client.POST('/api/learning/topics/{id}/notes', { ...topicPath, body: { content, positionSeconds: 2 } }),
  );

  printStep('The learner withdraws. The content is protected again; the progress and the notes remain.');
  await expect(200, client.POST('/api/enrollment/{id}/withdraw', { params: { path: { id: enrollmentId } } }));
  await expectEventually(403, () => stream());
  const after = await expect(200, client.GET('/api/education/topics/{id}', topicPath));
  assert(after.content === null && after.access.reason === 'ENROLLMENT_REQUIRED', 'the content should be protected');
  await expect(200, client.GET('/api/learning/subjects/{id}/progress', { params: { path: { id: course.subjectId } } }));
  const notes = await expect(200, client.GET('/api/learning/notes'));
  assert(
    notes.some((note) => note.content === content),
    'the note should still exist',
  );
}
