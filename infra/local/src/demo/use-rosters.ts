import type { Course } from './build-course.ts';
import type { DemoSession, DemoUser } from './demo-session.ts';
import { assert, expect, expectStatus } from './expect.ts';

interface RosterOptions {
  admin: DemoUser;
  mentor: DemoUser;
  course: Course;
  /** The e-mails of users who have signed in. */
  emails: string[];
}

/** A CSV file enrolls many users; the same file again changes nothing. */
export async function useRosters({ printStep }: DemoSession, { admin, mentor, course, emails }: RosterOptions) {
  printStep('The administrator imports a roster: first a dry run, then the import. One line is wrong.');
  const lines = [...emails, 'unknown@lms.test'].map((email) => `${email},${course.subjectId}`);
  const file = new File([['email,subjectId', ...lines].join('\r\n')], 'roster.csv', { type: 'text/csv' });
  const checked = await expect(200, admin.client.importRoster({ file, dryRun: true }));
  const imported = await expect(200, admin.client.importRoster({ file }));
  for (const { counts } of [checked, imported])
    assert(counts.created === emails.length && counts.failed === 1, 'each line should have its own result');
  const again = await expect(200, admin.client.importRoster({ file }));
  assert(again.counts.unchanged === emails.length, 'a repetition should change nothing');

  printStep('The mentor downloads the learners with their progress as CSV.');
  const path = { id: course.subjectId };
  const roster = await expectStatus(
    200,
    mentor.client.GET('/api/mentor/subjects/{id}/learners.csv', { params: { path }, parseAs: 'text' }),
  );
  for (const email of emails) assert(roster.data?.includes(email) === true, `the roster should contain ${email}`);
}
