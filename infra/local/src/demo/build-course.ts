import type { MentorProfile } from './apply-as-mentor.ts';
import { expect, expectStatus } from './expect.ts';
import type { Narrator, Person } from './narrator.ts';

export interface Course {
  subjectId: string;
  topicId: string;
}

interface Cast {
  admin: Person;
  mentorProfile: MentorProfile;
  mark: string;
}

/** A level, a grade, the mentor's subject, and two topics. */
export async function buildCourse(
  { say }: Narrator,
  { admin: { client }, mentorProfile, mark }: Cast,
): Promise<Course> {
  say('The administrator builds a level, a grade, a subject for that mentor and two topics.');
  const name = `Secondary school ${mark}`;
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
  const topicBody = { subjectId: subject.id, description: 'How plants eat light', content: 'Light becomes sugar.' };
  const topic = await expect(
    201,
    client.POST('/api/admin/education/topics', { body: { ...topicBody, name: 'Photosynthesis' } }),
  );
  await expect(201, client.POST('/api/admin/education/topics', { body: { ...topicBody, name: 'Respiration' } }));

  say('A name is free only once in its place.');
  await expectStatus(409, client.POST('/api/admin/education/levels', { body: { name, description: 'Once more' } }));
  return { subjectId: subject.id, topicId: topic.id };
}
