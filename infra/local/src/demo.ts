import { unwrap } from '@lms/client';
import { enroll, learn, useRosters } from './demo/learning.ts';
import { createDemoSession, printStep } from './demo/session.ts';
import { applyAsMentor, buildCourse, carryCurriculum, uploadMaterials } from './demo/teaching.ts';
import { readStack, register, type Stack, signIn } from './running-stack.ts';

/** The main use cases, from creating content to completing a topic. All names are unique, so that the demo can be repeated. */
async function runDemo({ gatewayUrl, providerUrl }: Stack) {
  const { createUser, requestCount } = createDemoSession(gatewayUrl);
  const suffix = Date.now().toString(36);
  const registerUser = async (firstName: string, name: string) => {
    const email = `${name}-${suffix}@lms.test`;
    await register(providerUrl, { email, firstName, lastName: 'Demo' });
    return { email, user: createUser(name, await signIn(providerUrl, email)) };
  };

  printStep('An administrator, a future mentor and a learner sign in at the identity provider.');
  const anyone = createUser('anyone');
  const admin = createUser('admin', await signIn(providerUrl, 'admin@lms.test'));
  const [{ user: mentor }, { user: learner }, nina] = await Promise.all([
    registerUser('Maria', 'mentor'),
    registerUser('Leo', 'learner'),
    registerUser('Nina', 'nina'),
  ]);
  // The first request creates the account.
  await unwrap(nina.user.client.GET('/api/auth/profile'));

  const course = await buildCourse(admin, await applyAsMentor(admin, mentor), suffix);
  const materials = await uploadMaterials(mentor, course);
  const enrollmentId = await enroll({ anyone, admin, learner }, course, materials);
  await useRosters(admin, mentor, course, [nina.email]);
  await learn(learner, course, materials, enrollmentId);
  await carryCurriculum(admin, suffix);
  printStep(`✓ All ${requestCount()} responses were as expected.`);
}

/** `npm run demo`: runs the main use cases against the gateway and prints each request. Exits with 1 if a response is not as expected. */
try {
  await runDemo(await readStack(process.env));
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
