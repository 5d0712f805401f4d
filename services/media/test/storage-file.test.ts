import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createKey } from '../src/objects/store-file.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { StorageFailure } from '../src/storage.ts';
import { inChunks, testStorage } from './storage-contract.ts';

async function folder(t: Test) {
  const root = await mkdtemp(join(tmpdir(), 'lms-files-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  return root;
}
const filesIn = async (root: string) =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

t.test('file storage implements the storage interface', async (t) => {
  const root = await folder(t);
  testStorage(t, createFileStorage(root));
  t.test('a source that fails before its file is open leaves nothing', async (t) => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw new RangeError('the source broke');
    };
    const storage = createFileStorage(root);
    for (let count = 0; count < 300; count += 1)
      await storage.put(createKey('document'), failing()).catch(() => undefined);
    t.same(await filesIn(root), []);
  });
  t.test('no files are left', async (t) => t.same(await filesIn(root), []));
});

t.test('an object becomes visible only when it is complete', async (t) => {
  const root = await folder(t);
  const storage = createFileStorage(root);
  const key = 'document-0123456789';
  const seen: unknown[] = [];
  const observed = async function* () {
    for await (const piece of inChunks(Buffer.alloc(1_000_000))) {
      seen.push(await storage.stat(key));
      yield piece;
    }
  };
  await storage.put(key, observed());
  t.ok(seen.every((stat) => stat === undefined));
  t.same(await filesIn(root), [key]);
});

t.test('removing an object deletes the temporary file left by a crash', async (t) => {
  const root = await folder(t);
  const storage = createFileStorage(root);
  const key = 'document-0123456789';
  await storage.put(key, inChunks(Buffer.from('x')));
  await writeFile(join(root, key.slice(-2), `${key}.part`), 'half');
  await storage.remove(key);
  t.same(await filesIn(root), []);
});

t.test('a folder that is not writable causes a StorageFailure', async (t) => {
  const root = await folder(t);
  const file = join(root, 'file');
  await writeFile(file, '');
  await chmod(file, 0o400);
  const storage = createFileStorage(join(file, 'below'));
  await t.rejects(storage.put('document-0123456789', inChunks(Buffer.from('x'))), StorageFailure);
  await t.rejects(storage.check());
});

t.test('files that are not objects, such as those of a file system, are not listed', async (t) => {
  const root = await folder(t);
  const storage = createFileStorage(root);
  const key = createKey('document');
  await storage.put(key, inChunks(Buffer.from('x')));
  await writeFile(join(root, '.DS_Store'), 'x');
  await mkdir(join(root, 'lost+found'), { mode: 0 });
  const listed = [];
  for await (const batch of storage.list()) listed.push(...batch.map((object) => object.key));
  t.same(listed, [key]);
});
