import { ConfigError, configExitCode, type Environment } from '@lms/config/load-config';
import { DirectoryInUse } from 'local/directory-lock';
import type { DataStores } from './data-stores/data-stores.ts';
import { openDataStores } from './data-stores/open-data-stores.ts';
import { RecoveryError } from './recovery-error.ts';

/** Opens the data stores, runs the command and closes them. @returns the exit code */
export async function runCommand(
  environment: Environment,
  purpose: 'backup' | 'restore',
  work: (stores: DataStores, report: (line: string) => void) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const { close, ...stores } = await openDataStores(environment, purpose, report);
    await work(stores, report).finally(async () => {
      stores.storage.close();
      await close();
    });
    report(`done       in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    return 0;
  } catch (error) {
    const isExpected = [RecoveryError, ConfigError, DirectoryInUse].some((kind) => error instanceof kind);
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : error;
    process.stderr.write(`${text}\n`);
    return error instanceof ConfigError ? configExitCode : 1;
  }
}
