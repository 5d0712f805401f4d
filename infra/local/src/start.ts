import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, configExitCode } from '@lms/config/load-config';
import { checkFreeSpace, NotEnoughSpace } from './free-space.ts';
import { readyMessage } from './ready-message.ts';
import { findWarnings, loadSettings, type Settings } from './settings.ts';
import { startStack } from './start-stack.ts';
import { DirectoryInUse } from './supervisor/directory-lock.ts';
import { runStack } from './supervisor/run-stack.ts';

// The stack keeps running when the reader of its output exits.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const report = (line: string) => console.log(line);

try {
  process.exit(await main(loadSettings(process.env)));
} catch (error) {
  const isExpected = [ConfigError, DirectoryInUse, NotEnoughSpace].some((expected) => error instanceof expected);
  console.error(isExpected && error instanceof Error ? error.message : error);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}

function main(settings: Settings): Promise<number> {
  for (const warning of findWarnings(settings)) report(`warning            ${warning}`);
  const directory = resolve(settings.DATA_DIR);
  mkdirSync(directory, { recursive: true });
  checkFreeSpace(directory);
  return runStack(
    directory,
    async (stack) => {
      const context = await startStack(stack, { settings, environment: process.env, directory, report });
      report(readyMessage(context, directory));
    },
    report,
  );
}
