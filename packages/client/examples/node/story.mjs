// The whole workflow, from a course to a learner's notes: node story.mjs [API] [identity provider]
import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';
import { createClient, unwrap } from '@lms/client';
import { untilFinished } from '@lms/client/jobs';

const [api = 'http://127.0.0.1:8080', provider = 'http://127.0.0.1:8090'] = process.argv.slice(2);
// All names are unique, so that the script can be repeated.
const mark = Date.now().toString(36);
/** @param {string} text */
const step = (text) => console.log(styleText('bold', `\n${text}`));
/** @param {string} id */
const withId = (id) => ({ params: { path: { id } } });

/**
 * Signs in with the password grant, which only the local provider offers. A script in production uses the client
 * credentials or the device flow of its provider.
 * @param {string} username
 */
async function signIn(username) {
  const form = { grant_type: 'password', client_id: 'lms-local', username, password: 'password' };
  const response = await fetch(`${provider}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = Object(await response.json());
  return String(access_token);
}

/**
 * A client for a user. The token supplier keeps a token until the API rejects it.
 * @param {string} username
 */
function clientOf(username) {
  /** @type {Promise<string> | undefined} */
  let token;
  return createClient({
    baseUrl: api,
    token({ forceRefresh }) {
      if (forceRefresh) token = undefined;
      token ??= signIn(username);
      return token;
    },
    maxWaitSeconds: 60,
    onWait: ({ seconds, status }) => console.log(`${status}: waiting for ${seconds} s`),
  });
}

/**
 * Creates an account at the local provider, which sends a webhook about it to the API, and a client for it.
 * @param {string} firstName
 */
async function register(firstName) {
  const email = `${firstName}-${mark}@lms.test`.toLowerCase();
  const response = await fetch(`${provider}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'password', firstName, lastName: 'Example' }),
  });
  assert.equal(response.status, 201, `the provider did not create ${email}`);
  return clientOf(email);
}

/**
 * Repeats a request until it has a status: what follows from an event takes up to a second, and ten without NATS.
 * @param {number} status
 * @param {() => Promise<{ response: Response }>} send
 */
async function untilStatus(status, send) {
  const deadline = Date.now() + 10_000;
  while ((await send()).response.status !== status) {
    assert(Date.now() < deadline, `the response should have the status ${status}`);
    await pause(100);
  }
}

step('Anyone can browse, without an account.');
const visitor = createClient({ baseUrl: api });
for await (const level of visitor.each('/api/education/levels')) console.log(`level: ${level.name}`);

step('An administrator, a future mentor and two learners sign in at the identity provider.');
const admin = clientOf('admin@lms.test');
const mentor = await register('Maria');
const learner = await register('Leo');
const nina = await register('Nina');
const { email: ninaEmail } = await unwrap(nina.GET('/api/auth/profile'));

step('The new users are registered. One of them applies to be a mentor, once.');
const { roles: firstRoles } = await unwrap(mentor.GET('/api/auth/profile'));
assert(!firstRoles.includes('MENTOR'), 'a new user should be a learner');
const body = { motivation: 'I have taught astronomy for nine years.', qualifications: 'MSc Physics' };
const application = await unwrap(mentor.POST('/api/mentor/apply', { body }));
const appliedAgain = await mentor.POST('/api/mentor/apply', { body });
assert.equal(appliedAgain.response.status, 409);

step('The administrator finds the application and approves it.');
const newest = /** @type {const} */ ({ params: { query: { order: 'desc', limit: 5 } } });
await unwrap(admin.GET('/api/admin/mentor/pending', newest));
await unwrap(admin.PUT('/api/admin/mentor/{id}/approve', { ...withId(application.id), body: { note: 'Welcome!' } }));
const { identityProviderId: mentorId, email: mentorEmail, roles } = await unwrap(mentor.GET('/api/auth/profile'));
assert(roles.includes('MENTOR'), 'the approval should assign the role MENTOR');

step('The administrator creates a level, a grade, a subject for the mentor and two topics.');
const school = { name: `Evening school ${mark}`, description: 'For adults' };
const level = await unwrap(admin.POST('/api/admin/education/levels', { body: school }));
const grade = await unwrap(
  admin.POST('/api/admin/education/grades', {
    body: { name: 'First year', level: 'higher', educationLevelId: level.id },
  }),
);
const astronomy = { name: 'Astronomy', description: 'Stars and planets', gradeId: grade.id, mentorId, mentorEmail };
const subject = await unwrap(admin.POST('/api/admin/education/subjects', { body: astronomy }));
const text = { description: 'Phases', content: 'The Moon has no light of its own.', subjectId: subject.id };
const topic = await unwrap(admin.POST('/api/admin/education/topics', { body: { ...text, name: 'The Moon' } }));
await unwrap(admin.POST('/api/admin/education/topics', { body: { ...text, name: 'The Sun' } }));

step('Names are unique below their parent. Errors are values; their code decides on the type of the details.');
const { error: conflict } = await admin.POST('/api/admin/education/levels', { body: school });
assert(conflict?.code === 'CONFLICT');
console.log(`in use: ${conflict.details.value}`);
await untilStatus(200, () => mentor.GET('/api/mentor/subjects'));

step('The mentor uploads a document and a video. The topic contains both as soon as the upload has a response.');
const phases = 'New moon, first quarter, full moon, last quarter. '.repeat(10);
const handout = new File([phases], 'phases.txt');
const document = await unwrap(mentor.uploadDocument({ topicId: topic.id, file: handout, name: 'Phases' }));
const film = process.env.VIDEO_FILE;
if (film) {
  // Read from the disk while it is sent, never into memory as a whole.
  const file = new File([await openAsBlob(film)], 'moon.mp4');
  const { video } = await unwrap(
    mentor.uploadVideo(
      { topicId: topic.id, file },
      { onProgress: (sent, total) => sent === total && console.log(`uploaded: ${total} bytes`) },
    ),
  );
  console.log(`video: ${video.mimeType}, ${video.checksum}`);
}
/** @param {typeof admin} user */
const readTopic = (user) => unwrap(user.GET('/api/education/topics/{id}', withId(topic.id)));
const { documents, hasVideo } = await readTopic(mentor);
assert(documents[0]?.id === document.id && hasVideo === (film !== undefined));

step('The outline is public; the content is only for enrolled learners.');
const outline = await readTopic(visitor);
assert(outline.content === null && !outline.access.granted, 'the content should not be readable without a token');
/** @param {Record<string, string>} [headers] */
const readDocument = (headers = {}) => {
  const params = { query: { key: document.key } };
  return learner.GET('/api/s3/document/stream', { params, headers, parseAs: 'text' });
};
const refused = await readDocument();
assert(refused.error?.code === 'ENROLLMENT_REQUIRED');
console.log(`refused: ${refused.error.error}`);

step('The learner requests an enrollment, once, and the administrator approves it.');
const request = { subjectId: subject.id, message: 'I would like to learn this.' };
const { id } = await unwrap(learner.POST('/api/enrollment/request', { body: request }));
const requestedAgain = await learner.POST('/api/enrollment/request', { body: request });
assert.equal(requestedAgain.response.status, 409);
const waiting = await unwrap(admin.GET('/api/admin/enrollment/pending', newest));
assert(waiting.some((pending) => pending.id === id));
await unwrap(admin.PUT('/api/admin/enrollment/{id}/approve', withId(id)));
const enrollment = await unwrap(learner.GET('/api/enrollment/{id}', withId(id)));
console.log(`enrollment: ${enrollment.status}`);

step('The administrator imports a roster: first a dry run, then the import, then again. One line is wrong.');
const lines = ['email,subjectId', `${ninaEmail},${subject.id}`, `unknown@lms.test,${subject.id}`];
const roster = new File([lines.join('\r\n')], 'roster.csv', { type: 'text/csv' });
for (const dryRun of [true, false]) {
  const { counts } = await unwrap(admin.importRoster({ file: roster, dryRun }));
  assert(counts.created === 1 && counts.failed === 1, 'each line should have its own result');
}
const again = await unwrap(admin.importRoster({ file: roster }));
assert.equal(again.counts.unchanged, 1, 'a repetition should change nothing');

step('The mentor downloads the learners with their progress as CSV.');
const csv = await mentor.GET('/api/mentor/subjects/{id}/learners.csv', { ...withId(subject.id), parseAs: 'text' });
assert(csv.data?.includes(ninaEmail), `the file should contain ${ninaEmail}`);

step('Now the learner can read the topic and download the document, completely or a range of it.');
const { content, access } = await readTopic(learner);
assert(access.granted);
console.log(`content: ${content}`);
const downloaded = await readDocument();
assert.equal(downloaded.data, phases, 'the downloaded bytes should be those that were uploaded');
const part = await readDocument({ range: 'bytes=0-99' });
assert(part.response.status === 206 && part.data === phases.slice(0, 100));

if (film) {
  step('The video has ranges too, and plays in a plain <video> tag, with a signed URL that expires soon.');
  const { data, response } = await learner.GET('/api/education/topics/{id}/video', {
    params: { path: { id: topic.id }, header: { Range: 'bytes=0-99' } },
    parseAs: 'arrayBuffer',
  });
  console.log(`range: ${response.status}, ${Object(data).byteLength} bytes, ${response.headers.get('content-range')}`);
  const { url } = await unwrap(learner.POST('/api/education/topics/{id}/video/playback', withId(topic.id)));
  const played = await fetch(url, { headers: { range: 'bytes=0-1023' } });
  assert(played.status === 206 && (await played.arrayBuffer()).byteLength === 1_024);
}

step('The learner stores the playback position, completes the topic and writes a note.');
const position = { positionSeconds: 90, durationSeconds: 600 };
await unwrap(learner.PUT('/api/learning/topics/{id}/position', { ...withId(topic.id), body: position }));
await unwrap(learner.PUT('/api/learning/topics/{id}/completion', withId(topic.id)));
const progress = await unwrap(learner.GET('/api/learning/subjects/{id}/progress', withId(subject.id)));
assert.equal(progress.completed, 1);
console.log(`progress: ${progress.percent} %`);
const note = { content: 'It rises fifty minutes later each day.', positionSeconds: 90 };
await unwrap(learner.POST('/api/learning/topics/{id}/notes', { ...withId(topic.id), body: note }));

step('The learner withdraws. The content is protected again; the progress and the notes remain.');
await unwrap(learner.POST('/api/enrollment/{id}/withdraw', withId(id)));
await untilStatus(403, readDocument);
const withdrawn = await readTopic(learner);
assert(withdrawn.content === null && withdrawn.access.reason === 'ENROLLMENT_REQUIRED');
await unwrap(learner.GET('/api/learning/subjects/{id}/progress', withId(subject.id)));
const notes = [];
for await (const { content } of learner.each('/api/learning/notes')) notes.push(content);
assert(notes.includes(note.content), 'the note should still exist');
console.log(`note: ${notes}`);

step('The administrator imports a course from a file: first a dry run, then the import.');
/** @param {string} name */
const item = (name) => ({ name, description: 'From a file', externalId: `${name}-${mark}` });
const topics = ['Points', 'Lines'].map((name) => ({ ...item(name), content: name }));
const grades = [{ ...item('Second year'), level: 'higher', subjects: [{ ...item('Geometry'), topics }] }];
const levels = [{ ...item('Imported school'), name: `Imported school ${mark}`, grades }];
const file = new File([JSON.stringify({ version: 1, levels })], 'course.json', { type: 'application/json' });
const checked = await unwrap(admin.importCurriculum({ file, dryRun: true }));
assert(checked.counts.created === 5 && checked.issueCount === 0, 'the file should create five items');
const imported = await untilFinished(await unwrap(admin.importCurriculum({ file })), (id) =>
  unwrap(admin.GET('/api/admin/education/imports/{id}', withId(id))),
);
assert(imported.status === 'completed' && imported.counts.created === 5, 'the import should create five items');

step('The administrator exports the subject again, and downloads the file by its signed address.');
const params = { query: { externalId: `Geometry-${mark}` } };
const [geometry] = await unwrap(admin.GET('/api/admin/education/subjects', { params }));
const { downloadUrl } = await untilFinished(
  await unwrap(
    admin.POST('/api/admin/education/exports', {
      body: { format: 'json', rootType: 'subject', rootId: geometry?.id ?? null },
    }),
  ),
  (id) => unwrap(admin.GET('/api/admin/education/exports/{id}', withId(id))),
);
const exported = await (await fetch(String(downloadUrl))).text();
for (const { externalId } of topics) assert(exported.includes(externalId), `the file should contain ${externalId}`);
