import type { DemoSession, DemoUser } from './demo-session.ts';
import { assert, expect, expectStatus } from './expect.ts';

export interface MentorProfile {
  identityProviderId: string;
  email: string;
}

/** A user applies to be a mentor and gets the role when an administrator approves. */
export async function applyAsMentor(
  { printStep }: DemoSession,
  { admin, mentor }: { admin: DemoUser; mentor: DemoUser },
): Promise<MentorProfile> {
  printStep('The new users are registered. One of them applies to be a mentor.');
  const before = await expect(200, mentor.client.GET('/api/auth/profile'));
  assert(!before.roles.includes('MENTOR'), 'a new user should be a learner');
  const body = { motivation: 'I have taught biology for nine years.', qualifications: 'MSc Biology' };
  const application = await expect(201, mentor.client.POST('/api/mentor/apply', { body }));
  await expectStatus(409, mentor.client.POST('/api/mentor/apply', { body }));

  printStep('The administrator finds the application and approves it.');
  await expect(200, admin.client.GET('/api/admin/mentor/pending', { params: { query: { order: 'desc', limit: 5 } } }));
  const path = { id: application.id };
  await expect(
    200,
    admin.client.PUT('/api/admin/mentor/{id}/approve', { params: { path }, body: { note: 'Welcome!' } }),
  );
  const { identityProviderId, email, roles } = await expect(200, mentor.client.GET('/api/auth/profile'));
  assert(roles.includes('MENTOR'), 'the approval should assign the role MENTOR');
  return { identityProviderId: identityProviderId ?? '', email };
}
