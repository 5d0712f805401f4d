import type { Course } from './build-course.ts';
import { assert, expect, expectStatus } from './expect.ts';
import type { Narrator, Person } from './narrator.ts';
import type { Materials } from './upload-materials.ts';

interface Cast {
  anyone: Person;
  admin: Person;
  learner: Person;
  course: Course;
  materials: Materials;
}

/** The outline is for all, the substance for those whose request was approved. */
export async function enroll({ say }: Narrator, { anyone, admin, learner, course, materials }: Cast): Promise<string> {
  say('Everybody sees the outline; the substance is for those who are enrolled.');
  const topicPath = { params: { path: { id: course.topicId } } };
  const outline = await expect(200, anyone.client.GET('/api/education/topics/{id}', topicPath));
  assert(outline.content === null && !outline.access.granted, 'nobody should read the content without a token');
  const query = { key: materials.documentKey };
  await expectStatus(403, learner.client.GET('/api/s3/document/stream', { params: { query } }));

  say('The learner asks for enrollment, the administrator finds the request and approves it.');
  const body = { subjectId: course.subjectId, message: 'I would like to learn this.' };
  const request = await expect(201, learner.client.POST('/api/enrollment/request', { body }));
  await expectStatus(409, learner.client.POST('/api/enrollment/request', { body }));
  await expect(
    200,
    admin.client.GET('/api/admin/enrollment/pending', { params: { query: { order: 'desc', limit: 5 } } }),
  );
  const path = { id: request.id };
  await expect(200, admin.client.PUT('/api/admin/enrollment/{id}/approve', { params: { path } }));
  return request.id;
}
