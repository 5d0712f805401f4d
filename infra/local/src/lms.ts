import { ApiError, type Client, createClient } from '@lms/client';
import { exportCurriculum } from './cli/export-curriculum.ts';
import { importCurriculum } from './cli/import-curriculum.ts';
import { CommandFailed, type Connection, parseCommand, usage } from './cli/parse-command.ts';
import { exportRoster, importRoster } from './cli/rosters.ts';
import { readStack, signIn } from './running-stack.ts';

/** `npm run lms -- COMMAND`: rosters and the curriculum, in and out of a running system. */
async function main(args: string[], environment: NodeJS.ProcessEnv) {
  const command = parseCommand(args, environment);
  if (command.name === 'help') return void console.log(usage);
  const client = await connect(command, environment);
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

/** A client of the running system, with `LMS_TOKEN` or a token of the local identity provider. */
async function connect({ url, email, password }: Connection, environment: NodeJS.ProcessEnv): Promise<Client> {
  const given = environment.LMS_TOKEN;
  if (given && url) return createClient({ baseUrl: url, token: () => given, maxWaitSeconds: 60 });
  const stack = await readStack(environment);
  let token = given ?? (await signIn(stack.providerUrl, email, password));
  return createClient({
    baseUrl: url ?? stack.gatewayUrl,
    maxWaitSeconds: 60,
    onWait: ({ seconds }) => console.error(`The rate limit is reached; waiting for ${seconds} s`),
    async token({ forceRefresh }) {
      // Tokens expire after an hour, and a large import may take longer.
      if (forceRefresh && !given) token = await signIn(stack.providerUrl, email, password);
      return token;
    },
  });
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
