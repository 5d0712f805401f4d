import type { Course } from './build-course.ts';
import type { DemoSession, DemoUser } from './demo-session.ts';
import { assert, expect, expectStatus } from './expect.ts';
import type { Materials } from './upload-materials.ts';

interface EnrollOptions {
  anyone: DemoUser;
  admin: DemoUser;
  learner: DemoUser;
  course: Course;
  materials: Materials;
}

/** Everyone may read the outline; the protected content requires an approved enrollment. */
export async function enroll(
  { printStep }: DemoSession,
  { anyone, admin, learner, course, materials }: EnrollOptions,
): Promise<string> {
  printStep('The outline is public; the content is only for enrolled learners.');
  const topicPath = { params: { path: { id: course.topicId } } };
  const outline = await expect(200, anyone.client.GET('/api/education/topics/{id}', topicPath));
  assert(outline.content === null && !outline.access.granted, 'the content should not be readable without a token');
  const query = { key: materials.documentKey };
  await expectStatus(403, learner.client.GET('/api/s3/document/stream', { params: { query } }));

  printStep('The learner requests an enrollment, and the administrator approves it.');
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
