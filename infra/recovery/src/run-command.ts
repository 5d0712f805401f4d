import { resolve } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { ConfigError, configExitCode } from '@lms/config/load-config';
import { DirectoryInUse } from 'local/directory-lock';
import { type DataStores, openDataStores } from './data-stores.ts';
import { RecoveryError } from './manifest.ts';

// EX_USAGE of sysexits.h.
const usageExitCode = 64;

/** Opens the data stores, runs a command with its folder and options, closes them and sets the exit code. */
export async function runCommand<Options extends OptionValues>(
  purpose: 'backup' | 'restore',
  command: Command<[string], Options>,
  work: (stores: DataStores, folder: string, options: Options, report: (line: string) => void) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  command.showHelpAfterError().exitOverride(({ exitCode }) => process.exit(exitCode && usageExitCode));
  const [folder] = command.parse().processedArgs;
  try {
    const { close, ...stores } = await openDataStores(process.env, purpose, report);
    await work(stores, resolve(folder), command.opts(), report).finally(async () => {
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
