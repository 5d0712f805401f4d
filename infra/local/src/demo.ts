import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, unwrap } from '@lms/client';
import { untilFinished } from '@lms/client/jobs';
import { readStack, register, signIn } from './running-stack.ts';

const maxLength = 400;
const shorten = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength)} … (${text.length} characters)` : text;
const isJson = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false;
const printStep = (text: string) => console.log(`\n\u001b[1m${text}\u001b[0m`);

let requestCount = 0;

/** Returns a fetch function that prints the requests of a user, and their responses. */
const createFetch = (name: string) => async (request: Request) => {
  requestCount += 1;
  const { pathname, search } = new URL(request.url);
  const { headers, method } = request;
  const details = isJson(headers)
    ? await request.clone().text()
    : (headers.get('range') ?? headers.get('content-type'));
  console.log(`\n${requestCount}. ${name} → ${method} ${pathname}${search} ${shorten(details ?? '')}`);
  const response = await fetch(request);
  const body = Buffer.from(await response.clone().arrayBuffer());
  const type = response.headers.get('content-type') ?? 'no body';
  console.log(
    `   ${response.status} ${isJson(response.headers) ? shorten(String(body)) : `${type}, ${body.length} bytes`}`,
  );
  return response;
};

interface Sent {
  response: Response;
}

/** @throws if the response has another status */
async function expectStatus<A extends Sent>(expected: number, request: Promise<A>): Promise<A> {
  const result = await request;
  const { url, status } = result.response;
  assert(status === expected, `${new URL(url).pathname} responded with ${status} instead of ${expected}`);
  return result;
}

/** Repeats a request: events take at most a second while NATS is available, and ten without it. */
async function expectEventually(expected: number, send: () => Promise<Sent>) {
  const deadline = Date.now() + 10_000;
  let result = await send();
  for (; result.response.status !== expected && Date.now() < deadline; result = await send()) await pause(100);
  await expectStatus(expected, Promise.resolve(result));
}

const withId = (id: string) => ({ params: { path: { id } } });
const readAsset = (name: string) => readFile(new URL(`../assets/${name}`, import.meta.url));

/** The main use cases, from creating content to completing a topic. All names are unique, so that the demo can be repeated. */
async function runDemo() {
  const { gatewayUrl: baseUrl, providerUrl } = await readStack(process.env);
  const suffix = Date.now().toString(36);
  const createUser = (name: string, token?: string) =>
    createClient({
      ...{ baseUrl, fetch: createFetch(name), token: () => token },
      // A second run in the same minute exceeds the rate limits.
      maxWaitSeconds: 60,
      onWait: ({ seconds, status }) => console.log(`   ${status}: waiting for ${seconds} s`),
    });
  const registerUser = async (firstName: string, name: string) => {
    const email = `${name}-${suffix}@lms.test`;
    await register(providerUrl, { email, firstName, lastName: 'Demo' });
    return createUser(name, await signIn(providerUrl, email));
  };

  printStep('An administrator, a future mentor and two learners sign in at the identity provider.');
  const anyone = createUser('anyone');
  const admin = createUser('admin', await signIn(providerUrl, 'admin@lms.test'));
  const mentor = await registerUser('Maria', 'mentor');
  const learner = await registerUser('Leo', 'learner');
  const nina = await registerUser('Nina', 'nina');
  const { email: ninaEmail } = await unwrap(nina.GET('/api/auth/profile'));

  printStep('The new users are registered. One of them applies to be a mentor.');
  const { roles: firstRoles } = await unwrap(mentor.GET('/api/auth/profile'));
  assert(!firstRoles.includes('MENTOR'), 'a new user should be a learner');
  const motivation = { motivation: 'I have taught biology for nine years.', qualifications: 'MSc Biology' };
  const application = await unwrap(mentor.POST('/api/mentor/apply', { body: motivation }));
  await expectStatus(409, mentor.POST('/api/mentor/apply', { body: motivation }));

  printStep('The administrator finds the application and approves it.');
  const newest = { params: { query: { order: 'desc', limit: 5 } } } as const;
  await unwrap(admin.GET('/api/admin/mentor/pending', newest));
  const welcome = { ...withId(application.id), body: { note: 'Welcome!' } };
  await unwrap(admin.PUT('/api/admin/mentor/{id}/approve', welcome));
  const { identityProviderId: mentorId, email: mentorEmail, roles } = await unwrap(mentor.GET('/api/auth/profile'));
  assert(roles.includes('MENTOR'), 'the approval should assign the role MENTOR');

  printStep('The administrator creates a level, a grade, a subject for the mentor and two topics.');
  const level = { name: `Secondary school ${suffix}`, description: 'Years 7 to 12' };
  const { id: educationLevelId } = await unwrap(admin.POST('/api/admin/education/levels', { body: level }));
  const grade = { name: 'Year 7', description: 'The first year', level: 'secondary', educationLevelId } as const;
  const { id: gradeId } = await unwrap(admin.POST('/api/admin/education/grades', { body: grade }));
  const subject = { name: 'Biology', description: 'Living things', gradeId, mentorId, mentorEmail };
  const { id: subjectId } = await unwrap(admin.POST('/api/admin/education/subjects', { body: subject }));
  const text = { subjectId, description: 'How plants use light', content: 'Light becomes sugar.' };
  const createTopic = (name: string) => unwrap(admin.POST('/api/admin/education/topics', { body: { ...text, name } }));
  const { id: topicId } = await createTopic('Photosynthesis');
  await createTopic('Respiration');

  printStep('Names are unique below their parent.');
  await expectStatus(409, admin.POST('/api/admin/education/levels', { body: level }));
  await expectEventually(200, () => mentor.GET('/api/mentor/subjects'));

  printStep('The mentor uploads a document and a video. The topic contains both as soon as the upload has a response.');
  const pdf = await readAsset('whole-numbers.pdf');
  const handout = { topicId, file: new File([pdf], 'handout.pdf', { type: 'application/pdf' }), name: 'Handout' };
  const document = await unwrap(mentor.uploadDocument({ ...handout, description: 'To print and fill in' }));
  const film = new File([await readAsset('number-line.mp4')], 'lesson.mp4', { type: 'video/mp4' });
  await unwrap(mentor.uploadVideo({ topicId, file: film }));
  const readTopic = (user: typeof mentor) => unwrap(user.GET('/api/education/topics/{id}', withId(topicId)));
  const { documents, hasVideo } = await readTopic(mentor);
  assert(documents[0]?.id === document.id && hasVideo, 'the topic should contain the document and the video');

  const readDocument = (headers: Record<string, string> = {}) => {
    const params = { query: { key: document.key } };
    return learner.GET('/api/s3/document/stream', { params, headers, parseAs: 'arrayBuffer' });
  };
  printStep('The outline is public; the content is only for enrolled learners.');
  const outline = await readTopic(anyone);
  assert(outline.content === null && !outline.access.granted, 'the content should not be readable without a token');
  await expectStatus(403, readDocument());

  printStep('The learner requests an enrollment, and the administrator approves it.');
  const request = { subjectId, message: 'I would like to learn this.' };
  const { id: enrollmentId } = await unwrap(learner.POST('/api/enrollment/request', { body: request }));
  await expectStatus(409, learner.POST('/api/enrollment/request', { body: request }));
  await unwrap(admin.GET('/api/admin/enrollment/pending', newest));
  await unwrap(admin.PUT('/api/admin/enrollment/{id}/approve', withId(enrollmentId)));

  printStep('The administrator imports a roster: first a dry run, then the import, then again. One line is wrong.');
  const lines = ['email,subjectId', `${ninaEmail},${subjectId}`, `unknown@lms.test,${subjectId}`];
  const roster = new File([lines.join('\r\n')], 'roster.csv', { type: 'text/csv' });
  for (const dryRun of [true, false]) {
    const { counts } = await unwrap(admin.importRoster({ file: roster, dryRun }));
    assert(counts.created === 1 && counts.failed === 1, 'each line should have its own result');
  }
  const again = await unwrap(admin.importRoster({ file: roster }));
  assert(again.counts.unchanged === 1, 'a repetition should change nothing');

  printStep('The mentor downloads the learners with their progress as CSV.');
  const asText = { ...withId(subjectId), parseAs: 'text' } as const;
  const { data: csv } = await expectStatus(200, mentor.GET('/api/mentor/subjects/{id}/learners.csv', asText));
  assert(csv?.includes(ninaEmail), `the file should contain ${ninaEmail}`);

  printStep('Now the learner can read the topic and download the document, completely or a range of it.');
  const topic = await readTopic(learner);
  assert(topic.access.granted && typeof topic.content === 'string', 'the learner should read the content');
  const { data: downloaded } = await readDocument();
  assert(downloaded && pdf.equals(Buffer.from(downloaded)), 'the downloaded bytes should be those that were uploaded');
  await expectStatus(206, readDocument({ range: 'bytes=0-99' }));

  printStep('The video plays in a plain <video> tag, with a signed URL that expires soon.');
  const { url } = await unwrap(learner.POST('/api/education/topics/{id}/video/playback', withId(topicId)));
  const video = await createFetch('player')(new Request(url, { headers: { range: 'bytes=0-1023' } }));
  assert(video.status === 206, 'the URL should be sufficient');

  printStep('The learner stores the playback position, completes the topic and writes a note.');
  const position = { positionSeconds: 2, durationSeconds: 4 };
  await unwrap(learner.PUT('/api/learning/topics/{id}/position', { ...withId(topicId), body: position }));
  await unwrap(learner.PUT('/api/learning/topics/{id}/completion', withId(topicId)));
  const readProgress = () => unwrap(learner.GET('/api/learning/subjects/{id}/progress', withId(subjectId)));
  const { completed, percent } = await readProgress();
  assert(completed === 1 && percent === 50, 'one of two topics should be 50 percent');
  const note = { content: 'Chlorophyll reflects green.', positionSeconds: 2 };
  await unwrap(learner.POST('/api/learning/topics/{id}/notes', { ...withId(topicId), body: note }));

  printStep('The learner withdraws. The content is protected again; the progress and the notes remain.');
  await unwrap(learner.POST('/api/enrollment/{id}/withdraw', withId(enrollmentId)));
  await expectEventually(403, readDocument);
  const { content, access } = await readTopic(learner);
  assert(content === null && access.reason === 'ENROLLMENT_REQUIRED', 'the content should be protected');
  await readProgress();
  const notes = await unwrap(learner.GET('/api/learning/notes'));
  assert(
    notes.some(({ content }) => content === note.content),
    'the note should still exist',
  );

  printStep('The administrator imports a course from a file: first a dry run, then the import.');
  const item = (name: string) => ({ name, description: 'From a file', externalId: `${name}-${suffix}` });
  const topics = ['Points', 'Lines'].map((name) => ({ ...item(name), content: name }));
  const grades = [{ ...item('Year 8'), level: 'secondary', subjects: [{ ...item('Geometry'), topics }] }];
  const levels = [{ ...item('Imported school'), name: `Imported school ${suffix}`, grades }];
  const course = new File([JSON.stringify({ version: 1, levels })], 'course.json', { type: 'application/json' });
  const checked = await unwrap(admin.importCurriculum({ file: course, dryRun: true }));
  assert(checked.counts.created === 5 && checked.issueCount === 0, 'the file should create five items');
  const imported = await untilFinished(await unwrap(admin.importCurriculum({ file: course })), (id) =>
    unwrap(admin.GET('/api/admin/education/imports/{id}', withId(id))),
  );
  assert(imported.status === 'completed' && imported.counts.created === 5, 'the import should create five items');

  printStep('The administrator exports the subject again, and downloads the file by its signed address.');
  const params = { query: { externalId: `Geometry-${suffix}` } };
  const [geometry] = await unwrap(admin.GET('/api/admin/education/subjects', { params }));
  const body = { format: 'json', rootType: 'subject', rootId: geometry?.id ?? null } as const;
  const { downloadUrl } = await untilFinished(
    await unwrap(admin.POST('/api/admin/education/exports', { body })),
    (id) => unwrap(admin.GET('/api/admin/education/exports/{id}', withId(id))),
  );
  const exported = await (await createFetch('browser')(new Request(downloadUrl ?? ''))).text();
  for (const { externalId } of topics) assert(exported.includes(externalId), `the file should contain ${externalId}`);
}

/** `npm run demo`: runs the main use cases against the gateway and prints each request. Exits with 1 if a response is not as expected. */
try {
  await runDemo();
  printStep(`✓ All ${requestCount} responses were as expected.`);
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
