import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { createS3Storage } from '../src/storage/s3.ts';
import { ensureBucket } from '../src/storage/s3-bucket.ts';
import { StorageFailure } from '../src/storage.ts';
import { externalS3, startS3 } from './s3-service.ts';
import { inChunks, testStorage } from './storage-contract.ts';

const mebibyte = 1024 * 1024;

t.test('S3 storage implements the storage interface', async (t) => {
  const { options, keys } = await startS3(t);
  const storage = createS3Storage(options);
  t.teardown(storage.close);
  testStorage(t, storage);
  t.test('no objects are left', async (t) => t.same(await keys(), []));
});

t.test('ensureBucket creates a missing bucket and leaves an existing one unchanged', async (t) => {
  const { options } = await startS3(t);
  t.equal(await ensureBucket(options), false);
  const elsewhere = { ...options, bucket: 'lms-elsewhere' };
  t.equal(await ensureBucket(elsewhere), true);
  t.equal(await ensureBucket(elsewhere), false);
  const storage = createS3Storage(elsewhere);
  t.teardown(storage.close);
  await t.resolves(storage.check());
});

t.test('S3 storage implements the storage interface on the server in S3_TEST_ENDPOINT', async (t) => {
  const external = await externalS3(t);
  if (!external) return t.pass('S3_TEST_ENDPOINT is not set');
  const storage = createS3Storage(external.options);
  t.teardown(storage.close);
  testStorage(t, storage);
  t.test('no open multipart uploads are left', async (t) => t.same(await external.openUploads(), []));

  t.test('a wrong secret is reported as 403', (t) =>
    t.rejects(ensureBucket({ ...external.options, secretAccessKey: 'wrong' }), {
      message: /responded with 403 .*bucket "/,
    }),
  );

  t.test('a multipart upload left open by a crash is aborted by its id', async (t) => {
    const key = `document-${randomBytes(20).toString('hex')}`;
    const { multipartId, crash } = await leaveOpen(key);
    t.same(await external.openUploads(), [key]);
    await storage.remove(key, multipartId);
    t.same(await external.openUploads(), []);
    crash();
  });

  async function leaveOpen(key: string) {
    let crash: () => void = () => undefined;
    const crashed = new Promise<void>((resolve) => {
      crash = resolve;
    });
    const stalled = async function* () {
      yield* inChunks(Buffer.alloc(9 * mebibyte));
      await crashed;
      throw new Error('the process is gone');
    };
    const multipartId = await new Promise<string>((resolve, reject) => {
      storage.put(key, stalled(), { onMultipart: async (id) => resolve(id) }).catch(reject);
    });
    return { multipartId, crash };
  }
  return undefined;
});

t.test('parts have 8 MiB, and a smaller object is sent in one PUT', async (t) => {
  const { options } = await startS3(t);
  const storage = createS3Storage(options);
  t.teardown(storage.close);
  const cases: [size: number, lengths: number[], uploads: number][] = [
    [8 * mebibyte, [8 * mebibyte], 0],
    [8 * mebibyte + 1, [8 * mebibyte, 1], 1],
    [17 * mebibyte, [8 * mebibyte, 8 * mebibyte, mebibyte], 1],
  ];
  for (const [size, expected, uploads] of cases) {
    const ids: string[] = [];
    const sent = await lengthsOfPuts(() =>
      storage.put('video-0123456789', inChunks(Buffer.alloc(size)), { onMultipart: async (id) => ids.push(id) }),
    );
    t.same(sent, expected, `${size} bytes`);
    t.equal(ids.length, uploads);
  }
});

/** The content lengths of the PUT requests sent while `work` runs, longest first. */
async function lengthsOfPuts(work: () => Promise<unknown>): Promise<number[]> {
  const lengths: number[] = [];
  const onRequest = (message: unknown) => {
    const { request } = Object(message);
    if (request.method === 'PUT') lengths.push(Number(request.getHeader('content-length')));
  };
  subscribe('http.client.request.start', onRequest);
  await work();
  unsubscribe('http.client.request.start', onRequest);
  return lengths.toSorted((a, b) => b - a);
}

t.test('the check names a missing bucket', async (t) => {
  const { options } = await startS3(t);
  const storage = createS3Storage({ ...options, bucket: 'elsewhere' });
  t.teardown(storage.close);
  await t.rejects(storage.check(), { message: 'the bucket "elsewhere" does not exist' });
  await t.rejects(storage.open('video-0123456789'), StorageFailure);
});

t.test('a server that is down or does not respond causes a StorageFailure', async (t) => {
  const options = { bucket: 'lms-test', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
  const nowhere = { ...options, endpoint: 'http://127.0.0.1:1' };
  await t.rejects(ensureBucket(nowhere), { message: /^S3 at http:\/\/127\.0\.0\.1:1 did not respond: .*ECONNREFUSED/ });
  const down = createS3Storage(nowhere);
  t.teardown(down.close);
  await t.rejects(down.stat('video-0123456789'), StorageFailure);
  await t.rejects(down.put('video-0123456789', inChunks(Buffer.from('x'))), StorageFailure);

  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const address = silent.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const stalled = createS3Storage({ ...options, endpoint: `http://127.0.0.1:${address.port}`, idleMs: 200 });
  t.teardown(stalled.close);
  await t.rejects(stalled.put('video-0123456789', inChunks(Buffer.alloc(10 * mebibyte))), StorageFailure);
  await t.rejects(stalled.open('video-0123456789'), StorageFailure);
});
