import { createServiceTokens } from '@lms/auth/service-tokens';
import { serviceTokenHeader } from '@lms/contracts/passport';
import { maxDocuments, maxEntryBytes } from '@lms/contracts/topic-documents';
import { createId } from '@lms/database/columns';
import { testServiceSecret } from '@lms/testing/principals';
import t from 'tap';
import { purgeDeleted } from '../src/hierarchy/purge-deleted.ts';
import { admin, startContent } from './content-service.ts';

const { call, createBranch, database } = await startContent(t);

const entry = (name = 'Handout', description = '') => {
  const id = createId();
  return {
    ...{ id, name, description, key: `documents/${id}`, fileName: 'handout.pdf', mimeType: 'application/pdf', size: 5 },
    checksum: `sha256:${'a'.repeat(64)}`,
    url: `http://old.test/api/s3/document/stream?key=${id}`,
    uploadedBy: admin.userId,
    uploadedAt: '2026-01-31T12:00:00.000Z',
  };
};
type Entry = ReturnType<typeof entry>;

/** A topic that has these documents already. */
async function createTopic(documents: Entry[]) {
  const { topic } = await createBranch();
  await database.sql`update nodes set documents = ${JSON.stringify(documents)}::text::jsonb where id = ${topic.id}`;
  const path = `/internal/topics/${topic.id}/documents`;
  const token = createServiceTokens(testServiceSecret).callContext(admin.userId, createId()).serviceToken ?? '';
  return {
    id: String(topic.id),
    append: (body: Entry) => call('POST', path, { as: admin, body }),
    appendByImport: (body: Entry) => call('POST', path, { headers: { [serviceTokenHeader]: token }, body }),
    remove: (id: string | undefined) => call('DELETE', `${path}/${id}`, { as: admin }),
    count: async () =>
      (await call('GET', `/api/education/topics/${topic.id}`, { as: admin })).json.data.documentCount as number,
  };
}
const many = (count: number) => Array.from({ length: count }, () => entry());
const tooMany = { status: 409, json: { code: 'CONFLICT', details: { resource: 'Topic', field: 'documents' } } };

t.test('of two documents appended at the same time, one reaches the limit and the other is a conflict', async (t) => {
  const topic = await createTopic(many(maxDocuments - 1));
  const entries = [entry(), entry()];
  const responses = await Promise.all(entries.map((body) => topic.append(body)));
  t.same(responses.map(({ status }) => status).sort(), [201, 409]);
  t.match(
    responses.find(({ status }) => status === 409),
    { ...tooMany, json: { details: { value: maxDocuments } } },
  );
  t.equal(await topic.count(), maxDocuments);
  const stored = entries[responses.findIndex(({ status }) => status === 201)];
  t.equal(stored && (await topic.append(stored)).status, 201, 'again: it is there');
  await topic.remove(stored?.id);
  t.equal((await topic.append(entry())).status, 201, 'after a removal');
});

t.test('long names and descriptions reach the limit earlier', async (t) => {
  const long = () => entry('é'.repeat(200), 'é'.repeat(5_000));
  const size = Buffer.byteLength(JSON.stringify(long())) + 1;
  const topic = await createTopic(Array.from({ length: Math.floor(maxEntryBytes / size) - 1 }, long));
  t.equal((await topic.append(long())).status, 201);
  t.match(await topic.append(long()), tooMany);
  t.equal((await topic.remove((await topic.append(entry())).json.data.id)).status, 200, 'a short one fits');
});

t.test('the largest event of a topic is smaller than the default max_payload of NATS', async (t) => {
  const wide = (length: number) => '\u{1F600}'.repeat(length);
  const largest = () => ({ ...entry(wide(200), wide(5_000)), fileName: wide(127), mimeType: 'x'.repeat(100) });
  const topic = await createTopic([]);
  const size = Buffer.byteLength(JSON.stringify(largest())) + 1;
  const documents = Array.from({ length: Math.floor(maxEntryBytes / size) }, largest);
  await database.sql`update nodes set documents = ${JSON.stringify(documents)}::text::jsonb where id = ${topic.id}`;
  t.equal((await topic.appendByImport(largest())).status, 201);
  const captions = Array.from({ length: 50 }, () => {
    return { language: 'x'.repeat(35), label: wide(200), kind: 'captions', default: false };
  });
  const { fileName, mimeType, size: bytes, checksum, uploadedAt } = largest();
  const video = { ...{ id: createId(), fileName, mimeType, size: bytes, checksum, uploadedAt }, captions };
  const body = { video, videoUrl: 'https://lms.test' };
  t.equal((await call('PUT', `/internal/topics/${topic.id}/video`, { as: admin, body })).status, 200);
  const texts = { name: wide(200), description: wide(5_000), externalId: wide(200) };
  t.equal((await call('PUT', `/api/admin/education/topics/${topic.id}`, { as: admin, body: texts })).status, 200);
  const [event] = await database.sql`
    select octet_length(data::text) as bytes from outbox where aggregate_id = ${topic.id} order by ordinal desc limit 1`;
  t.ok(event?.bytes > maxEntryBytes);
  t.ok(event?.bytes < 1_048_576 - 4_096, `${event?.bytes} bytes, and headers`);
});

t.test('an import may exceed the limit by the one document that it replaces', async (t) => {
  const topic = await createTopic(many(maxDocuments));
  t.equal((await topic.appendByImport(entry())).status, 201);
  t.match(await topic.appendByImport(entry()), tooMany);
  t.match(await topic.append(entry()), tooMany);
  t.equal(await topic.count(), maxDocuments + 1);
});

t.test('the last events of a topic from before the limit are without its documents', async (t) => {
  const documents = many(maxDocuments + 500);
  const topic = await createTopic(documents);
  t.equal(await topic.count(), documents.length, 'it keeps them');
  t.match(await topic.append(entry()), tooMany);
  t.equal((await topic.remove(documents[0]?.id)).status, 200);
  const path = `/api/admin/education/topics/${topic.id}`;
  await call('DELETE', path, { as: admin });
  await call('POST', `${path}/restore`, { as: admin });
  t.equal(await topic.count(), documents.length - 1, 'after a restore, too');
  await call('DELETE', path, { as: admin });
  await purgeDeleted(database.db, 0, new Date(Date.now() + 86_400_000));
  const events = await database.sql`
    select type, jsonb_array_length(data->'documents') as documents from outbox
      where aggregate_id = ${topic.id} order by ordinal`;
  t.same(
    events.map(({ type, documents: count }) => [type.split('.').at(-1), count]),
    [
      ['created', 0],
      ['updated', documents.length - 1],
      ['deleted', 0],
      ['restored', documents.length - 1],
      ['deleted', 0],
      ['purged', 0],
    ],
  );
});
