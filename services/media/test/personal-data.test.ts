import { exportPath } from '@lms/contracts/internal/export';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { sample } from './samples.ts';
import { dataOf, file, form, startMedia } from './start-media.ts';

t.test('the export contains what the caller uploaded, and nothing from other users', async (t) => {
  const media = await startMedia(t);
  const [mentor, other] = [testPrincipal(['MENTOR']), testPrincipal(['ADMIN'])];
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  t.same(await dataOf(await media.send(mentor, exportPath)), {});

  const document = form(['file', file('%PDF-1.7')], ['topicId', topic.id], ['metadata', '{}']);
  const entry = await dataOf(await media.send(mentor, '/api/s3/document/upload', document));
  const video = { ...form(['video', file(sample('mp4', 1_000), 'a.mp4')]), method: 'PUT' };
  await media.send(mentor, `/api/admin/education/topics/${topic.id}/video`, video);

  // The uploaded file, without what media has found out about it.
  const { id, fileName, mimeType, size, checksum, uploadedAt } = Object(topic.video?.video);
  t.same(await dataOf(await media.send(mentor, exportPath)), {
    documents: [{ ...entry, topicId: topic.id }],
    videos: [{ id, fileName, mimeType, size, checksum, uploadedAt, topicId: topic.id }],
  });
  t.same(await dataOf(await media.send(other, exportPath)), {});
  t.equal((await media.send(null, exportPath)).status, 401);
});
