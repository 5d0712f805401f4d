import { checkErrorResponses } from '@lms/testing/error-responses';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { startMedia } from './start-media.ts';

t.test('every error names the resource, the roles or the field', async (t) => {
  const { app } = await startMedia(t);
  await checkErrorResponses(t, app, {
    allowed: () => passportHeaders(testPrincipal(['LEARNER', 'MENTOR', 'ADMIN'])),
    withoutRoles: () => passportHeaders(testPrincipal([])),
    resources: {
      '/api/education/topics/{id}': 'Topic',
      '/api/admin/education/topics/{id}': 'Topic',
      '/api/admin/education/topics/{id}/documents/{docId}': 'Document',
      // A language, which is checked after the access to the topic.
      '/api/admin/education/topics/{id}/video/captions/{language}': null,
      '/api/education/topics/{id}/video/captions/{language}': null,
      '/api/admin/education/topics/{id}/video/uploads/{uploadId}': 'Upload',
      '/api/s3/document/uploads/{uploadId}': 'Upload',
      '/api/playback/{token}': 'Playback',
      '/api/playback/{token}/{rendition}': 'Playback',
      '/api/playback/{token}/{rendition}/{n}': 'Playback',
      '/api/playback/{token}/captions/{language}': 'Playback',
    },
  });
});

t.test("errors for another mentor's topic and for missing files name what is wrong", async (t) => {
  const { send, content } = await startMedia(t);
  const topic = content.addTopic();
  const path = `/api/admin/education/topics/${topic.id}`;
  const denied = await send(testPrincipal(['MENTOR']), `${path}/video`, { method: 'DELETE' });
  t.match(await denied.json(), {
    code: 'FORBIDDEN',
    details: { required: ['ADMIN', 'MENTOR'], user_roles: ['MENTOR'] },
  });
  const admin = testPrincipal(['ADMIN']);
  const missing = await send(admin, `${path}/video`, { method: 'DELETE' });
  t.match(await missing.json(), { code: 'NOT_FOUND', error: 'Video not found' });
  const unknown = await send(admin, '/api/s3/document/stream?key=unknown');
  t.match(await unknown.json(), { code: 'NOT_FOUND', error: 'Document not found' });
});
