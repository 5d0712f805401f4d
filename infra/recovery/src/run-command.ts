import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, configExitCode } from '@lms/config/load-config';
import { DirectoryInUse } from 'local/directory-lock';
import { type DataStores, openDataStores } from './data-stores.ts';
import { RecoveryError } from './manifest.ts';

// EX_USAGE of sysexits.h.
const usageExitCode = 64;

interface Given {
  folder: string;
  /** Whether the flag of the command is set. */
  isSet: boolean;
  report(line: string): void;
}

/** Opens the data stores, runs a command with a folder and a flag, closes them and sets the exit code. */
export async function runCommand(
  purpose: 'backup' | 'restore',
  flag: string,
  work: (stores: DataStores, given: Given) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  const given = readArguments(process.argv.slice(2), flag);
  if (!given) {
    const kind = purpose === 'backup' ? 'empty folder' : 'backup folder';
    process.stderr.write(`Usage: npm run ${purpose} -- <${kind}> [--${flag}]\n`);
    process.exitCode = usageExitCode;
    return;
  }
  try {
    const { close, ...stores } = await openDataStores(process.env, purpose, report);
    await work(stores, { ...given, report }).finally(async () => {
      stores.storage.close();
      await close();
    });
    report(`done       in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  } catch (error) {
    const isExpected = [RecoveryError, ConfigError, DirectoryInUse].some((kind) => error instanceof kind);
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : error;
    process.stderr.write(`${text}\n`);
    process.exitCode = error instanceof ConfigError ? configExitCode : 1;
  }
}

function readArguments(args: string[], flag: string) {
  try {
    const options = { [flag]: { type: 'boolean' as const } };
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    const [folder, ...others] = positionals;
    if (!folder || others.length > 0) return undefined;
    return { folder: resolve(folder), isSet: values[flag] === true };
  } catch {
    return undefined;
  }
}
