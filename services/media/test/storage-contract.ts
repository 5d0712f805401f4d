import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { createKey } from '../src/objects/store-file.ts';
import { ObjectMissing, type Storage } from '../src/storage.ts';

const mebibyte = 1024 * 1024;
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Yields bytes in uneven chunks, as a socket does. */
export async function* inChunks(bytes: Buffer, chunkBytes = 65_521): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Tests what the interface `Storage` promises. */
export function testStorage(t: Test, storage: Storage) {
  const newKey = () => createKey('document');

  t.test('an object of any size is returned unchanged', async (t) => {
    for (const size of [1, 65_521, 8 * mebibyte - 1, 8 * mebibyte, 8 * mebibyte + 1, 17 * mebibyte]) {
      const [key, bytes] = [newKey(), randomBytes(size)];
      t.equal(await storage.stat(key), undefined);
      await storage.put(key, inChunks(bytes));
      t.same(await storage.stat(key), { size });
      t.equal(hashOf(await buffer(await storage.open(key))), hashOf(bytes), `${size} bytes`);
      await storage.remove(key);
    }
  });

  t.test('a range contains exactly the requested bytes', async (t) => {
    const [key, bytes] = [newKey(), randomBytes(9 * mebibyte)];
    await storage.put(key, inChunks(bytes));
    for (const [start, end] of [
      [0, 0],
      [0, bytes.length - 1],
      [8 * mebibyte - 1, 8 * mebibyte],
      [bytes.length - 1, bytes.length - 1],
    ]) {
      if (start === undefined || end === undefined) throw new Error('no range');
      const part = await buffer(await storage.open(key, { start, end }));
      t.ok(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`);
    }
    await storage.remove(key);
  });

  t.test('a removed object is gone, and removing it again succeeds', async (t) => {
    const key = newKey();
    await storage.put(key, inChunks(Buffer.from('hello')));
    await storage.remove(key);
    await storage.remove(key);
    t.equal(await storage.stat(key), undefined);
    await t.rejects(storage.open(key), ObjectMissing);
  });

  t.test('a put whose source fails leaves nothing and rejects with the error of the source', async (t) => {
    for (const size of [1_000, 17 * mebibyte]) {
      const key = newKey();
      const failing = async function* () {
        yield* inChunks(randomBytes(size));
        throw new RangeError('the source broke');
      };
      await t.rejects(storage.put(key, failing()), { name: 'RangeError', message: 'the source broke' });
      t.equal(await storage.stat(key), undefined);
      await t.rejects(storage.open(key), ObjectMissing);
    }
  });

  t.test('an aborted put rejects and leaves nothing', async (t) => {
    const [key, abort] = [newKey(), new AbortController()];
    const endless = async function* () {
      for (let pieces = 0; ; pieces += 1) {
        if (pieces === 20) abort.abort();
        yield randomBytes(mebibyte);
      }
    };
    await t.rejects(storage.put(key, endless(), { signal: abort.signal }));
    t.equal(await storage.stat(key), undefined);
  });

  t.test('invalid keys are rejected', async (t) => {
    for (const key of [
      '',
      '../outside',
      '/etc/passwd',
      'a\0b-------',
      'document-%2e%2e',
      `document-${'a'.repeat(200)}`,
    ]) {
      await t.rejects(storage.put(key, inChunks(Buffer.from('x'))), /Not a storage key/, JSON.stringify(key));
      await t.rejects(storage.open(key), /Not a storage key/);
      await t.rejects(storage.remove(key), /Not a storage key/);
    }
  });

  t.test('streams that are destroyed early release their resources', async (t) => {
    // More than is read ahead.
    const [key, bytes] = [newKey(), randomBytes(mebibyte / 2)];
    await storage.put(key, inChunks(bytes));
    // More than an S3 client has connections.
    for (let round = 0; round < 5; round += 1) {
      const opened = await Promise.all(Array.from({ length: 50 }, () => storage.open(key)));
      for (const body of opened) body.on('error', () => undefined).destroy();
    }
    t.equal(hashOf(await buffer(await storage.open(key))), hashOf(bytes));
    await storage.remove(key);
  });

  t.test('the list contains what is stored, and when', async (t) => {
    const key = newKey();
    await storage.put(key, inChunks(Buffer.from('hello')));
    const listed = async () => {
      for await (const batch of storage.list()) for (const object of batch) if (object.key === key) return object;
      return undefined;
    };
    const modifiedAt = (await listed())?.modifiedAt.getTime() ?? 0;
    t.ok(Math.abs(Date.now() - modifiedAt) < 60_000);
    await storage.remove(key);
    t.equal(await listed(), undefined);
  });

  t.test('the check succeeds', async (t) => {
    await t.resolves(storage.check());
  });
}
