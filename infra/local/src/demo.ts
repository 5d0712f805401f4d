import { applyAsMentor } from './demo/apply-as-mentor.ts';
import { buildCourse } from './demo/build-course.ts';
import { carryCurriculum } from './demo/carry-curriculum.ts';
import { createDemoSession } from './demo/demo-session.ts';
import { enroll } from './demo/enroll.ts';
import { expect } from './demo/expect.ts';
import { learn } from './demo/learn.ts';
import { uploadMaterials } from './demo/upload-materials.ts';
import { useRosters } from './demo/use-rosters.ts';
import { readStack, register, type Stack, signIn } from './running-stack.ts';

/** The main use cases, from creating content to completing a topic. All names are unique, so that the demo can be repeated. */
async function runDemo({ gatewayUrl, providerUrl }: Stack) {
  const session = createDemoSession(gatewayUrl);
  const suffix = Date.now().toString(36);
  const registerUser = async (firstName: string, name: string) => {
    const email = `${name}-${suffix}@lms.test`;
    await register(providerUrl, { email, firstName, lastName: 'Demo' });
    return { email, user: session.createUser(name, await signIn(providerUrl, email)) };
  };

  session.printStep('An administrator, a future mentor and a learner sign in at the identity provider.');
  const anyone = session.createUser('anyone');
  const admin = session.createUser('admin', await signIn(providerUrl, 'admin@lms.test'));
  const [{ user: mentor }, { user: learner }, nina] = await Promise.all([
    registerUser('Maria', 'mentor'),
    registerUser('Leo', 'learner'),
    registerUser('Nina', 'nina'),
  ]);
  // The first request creates the account.
  await expect(200, nina.user.client.GET('/api/auth/profile'));

  const mentorProfile = await applyAsMentor(session, { admin, mentor });
  const course = await buildCourse(session, { admin, mentorProfile, suffix });
  const materials = await uploadMaterials(session, { mentor, topicId: course.topicId });
  const enrollmentId = await enroll(session, { anyone, admin, learner, course, materials });
  await useRosters(session, { admin, mentor, course, emails: [nina.email] });
  await learn(session, { learner, course, materials, enrollmentId });
  await carryCurriculum(session, { admin, suffix });
  session.printStep(`✓ All ${session.requestCount()} responses were as expected.`);
}

/** `npm run demo`: runs the main use cases against the gateway and prints each request. Exits with 1 if a response is not as expected. */
try {
  const stack = await readStack(process.env);
  await runDemo(stack);
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
