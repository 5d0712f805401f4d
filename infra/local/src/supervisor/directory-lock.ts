import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { messageOf, StartFailed, signalProcess } from './process.ts';

export class DirectoryInUse extends StartFailed {}

/**
 * Locks a data directory for this process. The lock is a socket that listens, which the kernel closes when the process ends.
 * @throws DirectoryInUse if another process holds the lock
 */
export async function lockDirectory(directory: string) {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new StartFailed('DATA_DIR', `${directory} cannot be written: ${messageOf(error)}`);
  }
  const pidFile = join(directory, 'supervisor.pid');
  const holder = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined;
  const { dev, ino } = statSync(directory);
  const name = `lms-${dev}-${ino}`;
  // An abstract socket has no file. Other systems than Linux do not have them, and a killed process leaves its file.
  const path = process.platform === 'linux' ? `\0${name}` : `/tmp/${name}.sock`;
  if (process.platform !== 'linux' && !signalProcess(holder, 0)) rmSync(path, { force: true });
  const server = createServer().unref();
  server.listen(path);
  await once(server, 'listening').catch(() => {
    const hint = 'Stop it first, or set DATA_DIR, GATEWAY_PORT and IDP_PORT to run another one.';
    throw new DirectoryInUse('DATA_DIR', `A stack is already running in ${directory} (process ${holder}). ${hint}`);
  });
  writeFileSync(pidFile, String(process.pid));
  return {
    release() {
      rmSync(pidFile, { force: true });
      server.close();
    },
  };
}
