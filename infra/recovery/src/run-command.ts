import { ConfigError, configExitCode, type Environment } from '@lms/config/load-config';
import { DirectoryInUse } from 'local/directory-lock';
import { openPlaces } from './places/open-places.ts';
import type { Places } from './places/places.ts';
import { RecoveryError } from './recovery-error.ts';

/** Opens what the settings name, does the work there and closes it again. @returns the exit code */
export async function runCommand(
  environment: Environment,
  purpose: 'backup' | 'restore',
  work: (places: Places, report: (line: string) => void) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const { close, ...places } = await openPlaces(environment, purpose, report);
    await work(places, report).finally(async () => {
      places.storage.close();
      await close();
    });
    report(`done       in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    return 0;
  } catch (error) {
    const isExpected = [RecoveryError, ConfigError, DirectoryInUse].some((kind) => error instanceof kind);
    process.stderr.write(`${error instanceof Error && !isExpected ? error.stack : error}\n`);
    return error instanceof ConfigError ? configExitCode : 1;
  }
}
