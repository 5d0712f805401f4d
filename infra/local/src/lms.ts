import { ApiError } from '@lms/client';
import { connectCli } from './cli/connect-cli.ts';
import { exportCurriculum } from './cli/export-curriculum.ts';
import { exportRoster } from './cli/export-roster.ts';
import { importCurriculum } from './cli/import-curriculum.ts';
import { importRoster } from './cli/import-roster.ts';
import { CommandFailed, parseCommand, usage } from './cli/parse-command.ts';

/** `npm run lms -- COMMAND`: rosters and the curriculum, in and out of a running system. */
async function main(args: string[], environment: NodeJS.ProcessEnv) {
  const command = parseCommand(args, environment);
  if (command.name === 'help') return void console.log(usage);
  const client = await connectCli(command, environment);
  switch (command.name) {
    case 'import':
      return importCurriculum(client, command);
    case 'export':
      return exportCurriculum(client, command);
    case 'roster import':
      return importRoster(client, command);
    case 'roster export':
      return exportRoster(client, command);
  }
}

function describe(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : error;
  const { field, message, value } = Object(error.failure.code === 'VALIDATION_ERROR' && error.failure.details);
  return field === undefined ? error.message : `${error.message}: ${field} ${message}${value ? `: ${value}` : ''}`;
}

try {
  await main(process.argv.slice(2), process.env);
} catch (error) {
  console.error(describe(error));
  process.exitCode = error instanceof CommandFailed ? error.exitCode : 1;
}
