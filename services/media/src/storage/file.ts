import { createWriteStream, type WriteStream } from 'node:fs';
import { access, constants, mkdir, open as openFile, readdir, rename, rm, stat as statFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assertKey, isKey, ObjectMissing, type Storage, StorageFailure } from '../storage.ts';

const bufferBytes = 256 * 1024;
/** Objects are in folders named by the ends of their keys. */
const folderLength = 2;

/**
 * Stores objects as files below `root`. A file is written under a temporary name, flushed, then renamed: under its final
 * name it is always complete. Only the user that runs the process can read it.
 */
export function createFileStorage(root: string): Storage {
  const folderOf = (key: string) => join(root, key.slice(-folderLength));
  const pathOf = (key: string) => {
    assertKey(key);
    return join(folderOf(key), key);
  };
  const partOf = (key: string) => `${pathOf(key)}.part`;

  return {
    async put(key, bytes, { signal } = {}) {
      const part = partOf(key);
      let file: WriteStream | undefined;
      try {
        await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
        file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: bufferBytes });
        await pipeline(bytes, file, { ...(signal && { signal }) });
        await rename(part, pathOf(key));
        await flushFolder(folderOf(key));
      } catch (error) {
        // The file may still be created by an open that was waiting when the source failed.
        if (file) await closed(file.destroy());
        await rm(part, { force: true }).catch(() => undefined);
        throw toStorageFailure(error);
      }
    },

    async open(key, range) {
      const file = await openFile(pathOf(key), 'r').catch((error: unknown) => {
        throw isNotFound(error) ? new ObjectMissing(key, { cause: error }) : toStorageFailure(error);
      });
      return file.createReadStream({ ...range, highWaterMark: bufferBytes });
    },

    async stat(key) {
      try {
        return { size: (await statFile(pathOf(key))).size };
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw toStorageFailure(error);
      }
    },

    async remove(key) {
      try {
        await rm(partOf(key), { force: true });
        await rm(pathOf(key), { force: true });
      } catch (error) {
        throw toStorageFailure(error);
      }
    },

    async *list() {
      try {
        await mkdir(root, { recursive: true, mode: 0o700 });
        // A file system may have folders of its own, such as `lost+found`.
        for (const folder of (await readdir(root)).filter((name) => name.length === folderLength)) {
          const names = (await readdir(join(root, folder))).filter(isKey);
          const found = await Promise.all(names.map((key) => statFile(join(root, folder, key)).catch(() => undefined)));
          yield names.flatMap((key, index) => {
            const modifiedAt = found[index]?.mtime;
            return modifiedAt ? [{ key, modifiedAt }] : [];
          });
        }
      } catch (error) {
        throw toStorageFailure(error);
      }
    },

    async check() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await access(root, constants.R_OK | constants.W_OK);
    },

    close() {},
  };
}

/** Waits until a stream that failed has released its file. */
async function closed(file: WriteStream) {
  if (!file.closed) await new Promise<void>((resolve) => void file.once('close', resolve));
}

// A rename is durable only after its folder has been flushed.
async function flushFolder(folder: string) {
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
const isNotFound = (error: unknown) => codeOf(error) === 'ENOENT';

// File system errors name a system call; any other error comes from the source of the bytes.
const toStorageFailure = (error: unknown) =>
  error instanceof Error && 'syscall' in error ? new StorageFailure(error.message, { cause: error }) : error;
