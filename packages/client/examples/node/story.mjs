// The whole workflow: node story.mjs [API] [identity provider]
import { openAsBlob } from 'node:fs';
import { createClient, unwrap } from '@lms/client';

const [api = 'http://127.0.0.1:8080', provider = 'http://127.0.0.1:8090'] = process.argv.slice(2);
const mark = Date.now().toString(36);

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

const visitor = createClient({ baseUrl: api });
const admin = clientOf('admin@lms.test');
const learner = clientOf('learner@lms.test');

// Browse, without an account.
for await (const level of visitor.each('/api/education/levels')) console.log(`level: ${level.name}`);

// An administrator builds a course and uploads a video.
const level = await unwrap(
  admin.POST('/api/admin/education/levels', { body: { name: `Evening school ${mark}`, description: 'For adults' } }),
);
const grade = await unwrap(
  admin.POST('/api/admin/education/grades', {
    body: { name: 'First year', level: 'higher', educationLevelId: level.id },
  }),
);
const subject = await unwrap(
  admin.POST('/api/admin/education/subjects', {
    body: { name: 'Astronomy', description: 'Stars and planets', gradeId: grade.id },
  }),
);
const topic = await unwrap(
  admin.POST('/api/admin/education/topics', {
    body: {
      name: 'The Moon',
      description: 'Phases',
      content: 'The Moon has no light of its own.',
      subjectId: subject.id,
    },
  }),
);
const path = { id: topic.id };
const film = process.env.VIDEO_FILE;
if (film) {
  // Read from the disk while it is sent, never into memory as a whole.
  const file = new File([await openAsBlob(film)], 'moon.mp4');
  const { video } = await unwrap(
    admin.uploadVideo(
      { topicId: topic.id, file },
      { onProgress: (sent, total) => sent === total && console.log(`uploaded: ${total} bytes`) },
    ),
  );
  console.log(`video: ${video.mimeType}, ${video.checksum}`);
}
const handout = new File(['New moon, first quarter, full moon, last quarter'], 'phases.txt');
const uploaded = await unwrap(admin.uploadDocument({ topicId: topic.id, file: handout, name: 'Phases' }));

// The content is for enrolled learners. Errors are values; their code decides on the type of the details.
const refused = await learner.GET('/api/s3/document/stream', {
  params: { query: { key: uploaded.key } },
  parseAs: 'text',
});
if (refused.error?.code === 'ENROLLMENT_REQUIRED') console.log(`refused: ${refused.error.error}`);

// The learner requests enrollment; the administrator approves it.
const { id } = await unwrap(learner.POST('/api/enrollment/request', { body: { subjectId: subject.id } }));
const waiting = [];
for await (const pending of admin.each('/api/admin/enrollment/pending')) waiting.push(pending.id);
// A decision changes the pages of the list, so it is not made in the loop.
if (waiting.includes(id)) await unwrap(admin.PUT('/api/admin/enrollment/{id}/approve', { params: { path: { id } } }));
const enrollment = await unwrap(learner.GET('/api/enrollment/{id}', { params: { path: { id } } }));
console.log(`enrollment: ${enrollment.status}`);

// Read, and watch a part of the video.
const { content } = await unwrap(learner.GET('/api/education/topics/{id}', { params: { path } }));
console.log(`content: ${content}`);
if (film) {
  const { data, response } = await learner.GET('/api/education/topics/{id}/video', {
    params: { path, header: { Range: 'bytes=0-99' } },
    parseAs: 'arrayBuffer',
  });
  console.log(`range: ${response.status}, ${Object(data).byteLength} bytes, ${response.headers.get('content-range')}`);
}

// Progress and notes.
const position = { positionSeconds: 90, durationSeconds: 600 };
await unwrap(learner.PUT('/api/learning/topics/{id}/position', { params: { path }, body: position }));
await unwrap(learner.PUT('/api/learning/topics/{id}/completion', { params: { path } }));
const progress = await unwrap(
  learner.GET('/api/learning/subjects/{id}/progress', { params: { path: { id: subject.id } } }),
);
console.log(`progress: ${progress.percent} %`);
const note = { content: 'It rises fifty minutes later each day.', positionSeconds: 90 };
await unwrap(learner.POST('/api/learning/topics/{id}/notes', { params: { path }, body: note }));
for await (const { content } of learner.each('/api/learning/topics/{id}/notes', { params: { path } }))
  console.log(`note: ${content}`);
