import { backUp } from './back-up.ts';
import { readArguments, usageExitCode } from './read-arguments.ts';
import { runCommand } from './run-command.ts';

const given = readArguments(process.argv.slice(2), ['list-objects']);
if (!given) {
  process.stderr.write('Usage: npm run backup -- <empty folder> [--list-objects]\n');
  process.exit(usageExitCode);
}
const { folder, has } = given;
const objects = has('list-objects') ? 'listed' : 'copied';
process.exitCode = await runCommand(process.env, 'backup', (stores, report) =>
  backUp(stores, folder, { objects, report }),
);
