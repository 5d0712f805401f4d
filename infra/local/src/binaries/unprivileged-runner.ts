import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import type { Command } from '../supervisor/process.ts';

/** Runs a command that refuses to run as root. `takeOwnership` makes a directory writable for it. */
export interface UnprivilegedRunner {
  wrap(command: Command): Command;
  takeOwnership(directory: string): void;
}

const direct: UnprivilegedRunner = { wrap: (command) => command, takeOwnership: () => {} };

// In a user namespace, root has another user id but still owns its files, so no file changes its owner. The pid stays the same.
const unshareArgs = ['--user', '--map-user=1000', '--'];
const userNamespace: UnprivilegedRunner = {
  wrap: (command) => ({ ...command, file: 'unshare', args: [...unshareArgs, command.file, ...command.args] }),
  takeOwnership: () => {},
};

const fallbackUsers = ['postgres', 'nobody']; // cspell:disable-line

/** Finds a way to run `program` with write access to `directory` without root privileges. */
export function chooseUnprivilegedRunner(program: string, directory: string): UnprivilegedRunner {
  if (process.getuid?.() !== 0) return direct;
  if (spawnSync('unshare', [...unshareArgs, program, '--version']).status === 0) return userNamespace;
  for (const user of fallbackUsers) {
    const account = findAccount(user);
    if (account && canRun(program, directory, account)) return asAccount(account);
  }
  throw new Error(
    `PostgreSQL does not run as root, and neither "unshare --user" nor the users ${fallbackUsers.join(' or ')} can run it in ${directory}: use an ordinary user, or set POSTGRES_URL`,
  );
}

interface Account {
  uid: number;
  gid: number;
}

function canRun(program: string, directory: string, account: Account): boolean {
  chownSync(directory, account.uid, account.gid);
  const checks: [string, string[]][] = [
    [program, ['--version']],
    ['test', ['-w', directory]],
  ];
  return checks.every(([file, args]) => spawnSync(file, args, account).status === 0);
}

function asAccount(account: Account): UnprivilegedRunner {
  return {
    wrap: (command) => ({ ...command, ...account }),
    takeOwnership: (directory) => void execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, directory]),
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
