import type { Course } from './build-course.ts';
import { assert, expect, expectSoon, expectStatus } from './expect.ts';
import type { Narrator, Person } from './narrator.ts';
import type { Materials } from './upload-materials.ts';

interface Cast {
  learner: Person;
  course: Course;
  materials: Materials;
  enrollmentId: string;
}

/** Reading, watching, completing, keeping a note; and what remains once the learner has left. */
export async function learn({ baseUrl, say }: Narrator, { learner, course, materials, enrollmentId }: Cast) {
  const { client } = learner;
  const topicPath = { params: { path: { id: course.topicId } } };
  const stream = (headers: Record<string, string> = {}) =>
    client.GET('/api/s3/document/stream', {
      params: { query: { key: materials.documentKey } },
      headers,
      parseAs: 'arrayBuffer',
    });

  say('Now the learner reads the topic and streams the document, whole and in part.');
  const topic = await expect(200, client.GET('/api/education/topics/{id}', topicPath));
  assert(topic.access.granted && typeof topic.content === 'string', 'the learner should read the content');
  const whole = await stream();
  assert(
    whole.data instanceof ArrayBuffer && materials.document.equals(Buffer.from(whole.data)),
    'the bytes should be the uploaded ones',
  );
  await expectStatus(206, stream({ range: 'bytes=0-99' }));

  say('The video plays in a plain <video> tag, by a signed address that ends soon.');
  const playback = await expect(200, client.POST('/api/education/topics/{id}/video/playback', topicPath));
  const film = await learner.fetch(new Request(new URL(playback.url, baseUrl), { headers: { range: 'bytes=0-1023' } }));
  assert(film.status === 206, 'the address should be enough');

  say('The learner keeps the place, completes the topic and writes a note.');
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
  assert(progress.completed === 1 && progress.percent === 50, 'one of two topics is a half');
  const content = 'Chlorophyll reflects green.';
  await expect(
    201,
    client.POST('/api/learning/topics/{id}/notes', { ...topicPath, body: { content, positionSeconds: 2 } }),
  );

  say('The learner withdraws. The substance is closed again; the progress and the notes stay.');
  await expect(200, client.POST('/api/enrollment/{id}/withdraw', { params: { path: { id: enrollmentId } } }));
  await expectSoon(403, () => stream());
  const after = await expect(200, client.GET('/api/education/topics/{id}', topicPath));
  assert(after.content === null && after.access.reason === 'ENROLLMENT_REQUIRED', 'the substance should be closed');
  await expect(200, client.GET('/api/learning/subjects/{id}/progress', { params: { path: { id: course.subjectId } } }));
  const notes = await expect(200, client.GET('/api/learning/notes'));
  assert(
    notes.some((note) => note.content === content),
    'the note should have stayed',
  );
}
