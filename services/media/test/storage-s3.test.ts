import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@lms/testing/servers';
import t from 'tap';
import { createS3Storage } from '../src/storage/s3.ts';
import { ensureBucket } from '../src/storage/s3-bucket.ts';
import { StorageFailure } from '../src/storage.ts';
import { externalS3, startS3 } from './s3-service.ts';
import { inChunks, testStorage } from './storage-contract.ts';

const mebibyte = 1024 * 1024;

t.test('an S3 server keeps the contract of a storage', async (t) => {
  const { options, keys } = await startS3(t);
  const storage = createS3Storage(options);
  t.teardown(storage.close);
  testStorage(t, storage);
  t.test('and is empty in the end', async (t) => t.same(await keys(), []));
});

t.test('a bucket is made where there is none, and left alone where there is', async (t) => {
  const { options } = await startS3(t);
  t.equal(await ensureBucket(options), false);
  const elsewhere = { ...options, bucket: 'lms-elsewhere' };
  t.equal(await ensureBucket(elsewhere), true);
  t.equal(await ensureBucket(elsewhere), false);
  const storage = createS3Storage(elsewhere);
  t.teardown(storage.close);
  await t.resolves(storage.check());
});

t.test('the S3 server that the environment names keeps it too', async (t) => {
  const given = await externalS3(t);
  if (!given) return t.pass('none is named by S3_TEST_ENDPOINT');
  const storage = createS3Storage(given.options);
  t.teardown(storage.close);
  testStorage(t, storage);
  t.test('and has no open uploads in the end', async (t) => t.same(await given.openUploads(), []));

  t.test('and a wrong secret is told as what it is', (t) =>
    t.rejects(ensureBucket({ ...given.options, secretAccessKey: 'wrong' }), { message: /answers 403 .*bucket "/ }),
  );

  t.test('an upload that a crash left open is freed by its id', async (t) => {
    const key = `document-${randomBytes(20).toString('hex')}`;
    const { multipartId, crash } = await leaveOpen(key);
    t.same(await given.openUploads(), [key]);
    await storage.remove(key, multipartId);
    t.same(await given.openUploads(), []);
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

t.test('parts are of 8 MiB, and a smaller object is one PUT', async (t) => {
  const { options } = await startS3(t);
  const storage = createS3Storage(options);
  t.teardown(storage.close);
  const cases: [size: number, lengths: number[], uploads: number][] = [
    [8 * mebibyte, [8 * mebibyte], 0],
    [8 * mebibyte + 1, [8 * mebibyte, 1], 1],
    [20 * mebibyte, [8 * mebibyte, 8 * mebibyte, 4 * mebibyte], 1],
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

/** The lengths of what was sent by PUT meanwhile, as node's own client tells them, longest first. */
async function lengthsOfPuts(work: () => Promise<unknown>): Promise<number[]> {
  const lengths: number[] = [];
  const hear = (message: unknown) => {
    const { request } = Object(message);
    if (request.method === 'PUT') lengths.push(Number(request.getHeader('content-length')));
  };
  subscribe('http.client.request.start', hear);
  await work();
  unsubscribe('http.client.request.start', hear);
  return lengths.toSorted((a, b) => b - a);
}

t.test('a missing bucket is told by its name', async (t) => {
  const { options } = await startS3(t);
  const storage = createS3Storage({ ...options, bucket: 'elsewhere' });
  t.teardown(storage.close);
  await t.rejects(storage.check(), { message: 'the bucket "elsewhere" does not exist' });
  await t.rejects(storage.open('video-0123456789'), StorageFailure);
});

t.test('a server that is down, or says nothing, is a failure of the storage', async (t) => {
  const options = { bucket: 'lms-test', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
  const down = createS3Storage({ ...options, endpoint: `http://127.0.0.1:${await freePort()}` });
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
