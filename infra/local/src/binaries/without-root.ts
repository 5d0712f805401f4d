import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../supervisor/part.ts';

/** How to run a command that refuses to run as root. `ownership` prepares a directory that it writes to. */
export interface Disguise {
  wrap(command: Command): Command;
  own(directory: string): void;
}

const none: Disguise = { wrap: (command) => command, own: () => {} };

// In a user namespace root has another name and keeps its rights over its own files: nothing changes hands, and the pid stays the same.
const namespaced = ['--user', '--map-user=1000', '--'];
const userNamespace: Disguise = {
  wrap: (command) => ({ ...command, file: 'unshare', args: [...namespaced, command.file, ...command.args] }),
  own: () => {},
};

/** @param program what will have to run, and @param directory what it will write to: both must be within its reach */
export function chooseDisguise(program: string, directory: string): Disguise {
  if (process.getuid?.() !== 0) return none;
  if (spawnSync('unshare', [...namespaced, program, '--version']).status === 0) return userNamespace;
  for (const user of ['postgres', 'nobody']) {
    const account = findAccount(user);
    if (account && canRun(program, directory, account)) return asAccount(account);
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and neither "unshare --user" nor the users postgres or nobody can run it in ${directory}: start as an ordinary user, or set POSTGRES_URL`,
  );
}

interface Account {
  uid: number;
  gid: number;
}

function canRun(program: string, directory: string, account: Account): boolean {
  chownSync(directory, account.uid, account.gid);
  const attempts: [string, string[]][] = [
    [program, ['--version']],
    ['test', ['-w', directory]],
  ];
  return attempts.every(([file, args]) => spawnSync(file, args, account).status === 0);
}

function asAccount(account: Account): Disguise {
  return {
    wrap: (command) => ({ ...command, ...account }),
    own(directory) {
      chownSync(directory, account.uid, account.gid);
      for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        chownSync(join(directory, name), account.uid, account.gid);
      }
    },
  };
}

function findAccount(user: string): Account | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
