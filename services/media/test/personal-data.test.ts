import { createHash } from 'node:crypto';
import { anonymizedEmail, userDeleted } from '@lms/contracts/events/identity';
import { exportPath } from '@lms/contracts/internal/export';
import { createId } from '@lms/database/columns';
import { deadLetters } from '@lms/events/tables';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { onUserDeleted } from '../src/on-user-deleted.ts';
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

t.test(
  'dead letters about a user are deleted when the user is anonymized, not when the account is closed',
  async (t) => {
    const { db, sql } = (await startMedia(t)).database;
    const now = new Date().toISOString();
    const { userId: id, ...user } = testPrincipal(['MENTOR']);
    const eventOf = (given: object) => ({
      id: createId(),
      aggregateId: id,
      subject: userDeleted.subject,
      headers: { 'ce-type': userDeleted.type, 'ce-subject': id },
      body: JSON.stringify({ ...user, id, createdAt: now, updatedAt: now, version: 1, ...given }),
    });
    const { id: eventId, aggregateId: _, ...failed } = eventOf({});
    await db
      .insert(deadLetters)
      .values({ ...failed, eventId, consumer: 'media-identity-users', error: 'Error: the disk was full', attempts: 8 });
    const handle = (given: object) => db.transaction((tx) => onUserDeleted.handle(tx, eventOf(given)));
    const counts = () =>
      sql`select (select count(*)::int from dead_letters) as letters, (select count(*)::int from erasures) as erasures`;

    await handle({ identityProviderId: null, email: `displaced-${id}@invalid` });
    t.match(await counts(), [{ letters: 1, erasures: 0 }]);
    const identifierHashes = [createHash('sha256').update(user.identityProviderId).digest('hex')];
    const anonymized = { identityProviderId: null, email: anonymizedEmail(id), identifierHashes };
    await handle(anonymized);
    await handle(anonymized);
    t.match(await counts(), [{ letters: 0, erasures: 1 }], 'and later ones will not be stored');
  },
);
