import { Buffer } from 'node:buffer';
import { createNarrator, type Narrator, type Person } from './narrator.ts';
import { register, signIn } from './people.ts';
import type { Stack } from './read-stack.ts';

const handout = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** The main job, told from an empty shelf to a learner who reads. Every name is new, so that it can be told again and again. */
export async function tellStory({ gatewayUrl, providerUrl }: Stack) {
  const narrator = createNarrator(gatewayUrl);
  const mark = Date.now().toString(36);

  narrator.say('An administrator, a future mentor and a future learner sign in at the identity provider.');
  const admin = await signIn(providerUrl, 'admin', 'admin@lms.test');
  const [mentor, learner] = await Promise.all(
    (['mentor', 'learner'] as const).map(async (name) => {
      const email = `${name}-${mark}@lms.test`;
      await register(providerUrl, { name, email, firstName: name === 'mentor' ? 'Maria' : 'Leo', lastName: 'Demo' });
      return signIn(providerUrl, name, email);
    }),
  );
  if (!mentor || !learner) throw new Error('nobody signed in');

  const { subjectId, topicId } = await buildCourse(narrator, { admin, mentor, mark });
  const document = await uploadHandout(narrator, { mentor, topicId });
  await enroll(narrator, { admin, learner, subjectId, topicId, document });
  await readCourse(narrator, { learner, topicId, document });
  narrator.say(`✓ The story went as told, in ${narrator.count()} requests.`);
}

async function buildCourse(
  { say, play }: Narrator,
  { admin, mentor, mark }: { admin: Person; mentor: Person; mark: string },
) {
  say('The service has heard of the newcomers. The administrator makes one of them a mentor.');
  const profile = dataOf(await play({ path: '/api/auth/profile', as: mentor, expect: 200 }));
  await play({
    method: 'POST',
    path: `/api/users/${profile.id}/roles`,
    as: admin,
    json: { role: 'MENTOR' },
    expect: 201,
  });

  say('The administrator builds a level, a grade, a subject for that mentor and a topic.');
  const create = async (kind: string, json: object) =>
    dataOf(await play({ method: 'POST', path: `/api/admin/education/${kind}`, as: admin, json, expect: 201 }));
  const level = await create('levels', { name: `Secondary school ${mark}`, description: 'Years 7 to 12' });
  const grade = await create('grades', {
    name: 'Year 7',
    description: 'The first year',
    level: 'secondary',
    educationLevelId: level.id,
  });
  const { identityProviderId: mentorId, email: mentorEmail } = profile;
  const subject = await create('subjects', {
    name: 'Biology',
    description: 'Living things',
    gradeId: grade.id,
    mentorId,
    mentorEmail,
  });
  const topic = await create('topics', {
    name: 'Photosynthesis',
    description: 'How plants eat light',
    content: 'Light, water and carbon dioxide become sugar and oxygen.',
    subjectId: subject.id,
  });
  await play({
    method: 'POST',
    path: '/api/admin/education/levels',
    as: admin,
    json: { name: level.name, description: 'Once more' },
    expect: 409,
  });
  return { subjectId: subject.id, topicId: topic.id };
}

async function uploadHandout({ say, play }: Narrator, { mentor, topicId }: { mentor: Person; topicId: string }) {
  say('The mentor uploads a document. It stands in the topic as soon as the upload is answered.');
  const form = new FormData();
  form.append('topicId', topicId);
  form.append('metadata', JSON.stringify({ name: 'Handout', description: 'To print and fill in' }));
  form.append('file', new File([handout], 'handout.pdf', { type: 'application/pdf' }));
  const entry = dataOf(await play({ method: 'POST', path: '/api/s3/document/upload', as: mentor, form, expect: 201 }));
  const topic = dataOf(await play({ path: `/api/education/topics/${topicId}`, as: mentor, expect: 200 }));
  assert(topic.documents[0]?.id === entry.id, 'the document should stand in the topic');
  return { key: entry.key };
}

interface Enrolling {
  admin: Person;
  learner: Person;
  subjectId: string;
  topicId: string;
  document: { key: string };
}

async function enroll({ say, play }: Narrator, { admin, learner, subjectId, topicId, document }: Enrolling) {
  say('Everybody sees the outline; the substance is for those who are enrolled.');
  const outline = dataOf(await play({ path: `/api/education/topics/${topicId}`, expect: 200 }));
  assert(
    outline.content === null && outline.access.reason === 'AUTHENTICATION_REQUIRED',
    'nobody should read the content without a token',
  );
  await play({ path: streamPath(document.key), as: learner, expect: 403 });

  say('The learner asks for enrollment, the administrator finds the request and approves it.');
  const request = dataOf(
    await play({
      method: 'POST',
      path: '/api/enrollment/request',
      as: learner,
      json: { subjectId, message: 'I would like to learn this.' },
      expect: 201,
    }),
  );
  await play({ method: 'POST', path: '/api/enrollment/request', as: learner, json: { subjectId }, expect: 409 });
  await play({ path: '/api/admin/enrollment/pending?order=desc&limit=5', as: admin, expect: 200 });
  await play({ method: 'PUT', path: `/api/admin/enrollment/${request.id}/approve`, as: admin, expect: 200 });
}

async function readCourse(
  { say, play }: Narrator,
  { learner, topicId, document }: { learner: Person; topicId: string; document: { key: string } },
) {
  say('Now the learner reads the topic and streams the document, whole and in part.');
  const topic = dataOf(await play({ path: `/api/education/topics/${topicId}`, as: learner, expect: 200 }));
  assert(topic.access.granted === true && typeof topic.content === 'string', 'the learner should read the content');
  const whole = await play({ path: streamPath(document.key), as: learner, expect: 200 });
  assert(whole.bytes.equals(handout), 'the streamed bytes should be the uploaded ones');
  const part = await play({
    path: streamPath(document.key),
    as: learner,
    headers: { range: 'bytes=0-7' },
    expect: 206,
  });
  assert(part.bytes.equals(handout.subarray(0, 8)), 'a range should be that part of the bytes');
}

const streamPath = (key: string) => `/api/s3/document/stream?key=${encodeURIComponent(key)}`;

function assert(condition: boolean, claim: string) {
  if (!condition) throw new Error(`It did not go as told: ${claim}`);
}

/** The fields of the answers that the story looks at. */
interface Told {
  id: string;
  name: string;
  email: string;
  identityProviderId: string;
  key: string;
  content: string | null;
  access: { granted: boolean; reason: string | null };
  documents: { id: string }[];
}

// A script reads answers by name, trusting the documentation; Object() is where the unknown becomes what it says.
const dataOf = ({ json }: { json: unknown }): Told => Object(json).data;
