import { assert, expect, expectStatus } from './expect.ts';
import type { Narrator, Person } from './narrator.ts';

export interface MentorProfile {
  identityProviderId: string;
  email: string;
}

/** A newcomer applies, and is a mentor once an administrator agrees. */
export async function applyAsMentor(
  { say }: Narrator,
  { admin, mentor }: { admin: Person; mentor: Person },
): Promise<MentorProfile> {
  say('The service knows the newcomers. One of them would like to teach, and applies.');
  const before = await expect(200, mentor.client.GET('/api/auth/profile'));
  assert(!before.roles.includes('MENTOR'), 'a newcomer is a learner');
  const body = { motivation: 'I have taught biology for nine years.', qualifications: 'MSc Biology' };
  const application = await expect(201, mentor.client.POST('/api/mentor/apply', { body }));
  await expectStatus(409, mentor.client.POST('/api/mentor/apply', { body }));

  say('The administrator finds the application and approves it.');
  await expect(200, admin.client.GET('/api/admin/mentor/pending', { params: { query: { order: 'desc', limit: 5 } } }));
  const path = { id: application.id };
  await expect(
    200,
    admin.client.PUT('/api/admin/mentor/{id}/approve', { params: { path }, body: { note: 'Welcome!' } }),
  );
  const { identityProviderId, email, roles } = await expect(200, mentor.client.GET('/api/auth/profile'));
  assert(roles.includes('MENTOR'), 'the approval should have made a mentor');
  return { identityProviderId: identityProviderId ?? '', email };
}
