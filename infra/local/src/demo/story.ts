import { applyAsMentor } from './apply-as-mentor.ts';
import { buildCourse } from './build-course.ts';
import { enroll } from './enroll.ts';
import { learn } from './learn.ts';
import { createNarrator } from './narrator.ts';
import { register, signIn } from './people.ts';
import type { Stack } from './read-stack.ts';
import { uploadMaterials } from './upload-materials.ts';

/** The main job, from an empty shelf to a learner who has learned. Every name is new, so that it can be told again and again. */
export async function tellStory({ gatewayUrl, providerUrl }: Stack) {
  const narrator = createNarrator(gatewayUrl);
  const mark = Date.now().toString(36);
  const join = async (firstName: string, name: string) => {
    const email = `${name}-${mark}@lms.test`;
    await register(providerUrl, { email, firstName, lastName: 'Demo' });
    return narrator.enter(name, await signIn(providerUrl, email));
  };

  narrator.say('An administrator, a future mentor and a learner sign in at the identity provider.');
  const anyone = narrator.enter('anyone');
  const admin = narrator.enter('admin', await signIn(providerUrl, 'admin@lms.test'));
  const [mentor, learner] = await Promise.all([join('Maria', 'mentor'), join('Leo', 'learner')]);

  const mentorProfile = await applyAsMentor(narrator, { admin, mentor });
  const course = await buildCourse(narrator, { admin, mentorProfile, mark });
  const materials = await uploadMaterials(narrator, { mentor, topicId: course.topicId });
  const enrollmentId = await enroll(narrator, { anyone, admin, learner, course, materials });
  await learn(narrator, { learner, course, materials, enrollmentId });
  narrator.say(`✓ The story went as told, in ${narrator.count()} requests.`);
}
