import type { MentorProfile } from './apply-as-mentor.ts';
import type { DemoSession, DemoUser } from './demo-session.ts';
import { expect, expectStatus } from './expect.ts';

export interface Course {
  subjectId: string;
  topicId: string;
}

interface CourseOptions {
  admin: DemoUser;
  mentorProfile: MentorProfile;
  suffix: string;
}

/** A level, a grade, the mentor's subject, and two topics. */
export async function buildCourse(
  { printStep }: DemoSession,
  { admin: { client }, mentorProfile, suffix }: CourseOptions,
): Promise<Course> {
  printStep('The administrator creates a level, a grade, a subject for the mentor and two topics.');
  const name = `Secondary school ${suffix}`;
  const level = await expect(
    201,
    client.POST('/api/admin/education/levels', { body: { name, description: 'Years 7 to 12' } }),
  );
  const gradeBody = {
    name: 'Year 7',
    description: 'The first year',
    level: 'secondary' as const,
    educationLevelId: level.id,
  };
  const grade = await expect(201, client.POST('/api/admin/education/grades', { body: gradeBody }));
  const { identityProviderId: mentorId, email: mentorEmail } = mentorProfile;
  const subjectBody = { name: 'Biology', description: 'Living things', gradeId: grade.id, mentorId, mentorEmail };
  const subject = await expect(201, client.POST('/api/admin/education/subjects', { body: subjectBody }));
  const topicBody = { subjectId: subject.id, description: 'How plants use light', content: 'Light becomes sugar.' };
  const topic = await expect(
    201,
    client.POST('/api/admin/education/topics', { body: { ...topicBody, name: 'Photosynthesis' } }),
  );
  await expect(201, client.POST('/api/admin/education/topics', { body: { ...topicBody, name: 'Respiration' } }));

  printStep('Names are unique below their parent.');
  await expectStatus(409, client.POST('/api/admin/education/levels', { body: { name, description: 'Once more' } }));
  return { subjectId: subject.id, topicId: topic.id };
}
