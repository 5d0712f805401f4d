import { readArguments, usageExitCode } from './read-arguments.ts';
import { restoreBackup } from './restore-backup.ts';
import { runCommand } from './run-command.ts';

const given = readArguments(process.argv.slice(2), ['replace']);
if (!given) {
  process.stderr.write('Usage: npm run restore -- <backup folder> [--replace]\n');
  process.exit(usageExitCode);
}
const { folder, has } = given;
process.exitCode = await runCommand(process.env, 'restore', (stores, report) =>
  restoreBackup(stores, folder, { replace: has('replace'), report }),
);
