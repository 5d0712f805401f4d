import { constants } from 'node:os';
import { resolve } from 'node:path';
import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { ApiError, type Client, createClient } from '@lms/client';
import { enrollmentStatuses } from '@lms/contracts/events/enrollment';
import { exportCurriculum, exportRoster, importCurriculum, importRoster } from './cli/transfers.ts';
import { reach, readStack, signIn, startHint } from './running-stack.ts';

// npm runs scripts in the folder of the package; file names are relative to that of the user.
const directory = process.env.INIT_CWD ?? '.';
const filePath = (file: string) => (file === '-' ? file : resolve(directory, file));

const dryRun = () => new Option('--dry-run', 'report what would change, and change nothing').default(false);
const output = () =>
  new Option('-o, --output <file>', 'the file, or - for standard output (with npm run -s lms)').argParser(filePath);
const modes = ['create', 'upsert', 'mirror'] as const;
const formats = ['json', 'zip', 'csv', 'imscc'] as const;
const rootTypes = ['level', 'grade', 'subject', 'topic'] as const;

/** `npm run lms -- COMMAND`: rosters and the curriculum, in and out of a running system. */
const program = new Command('npm run lms --')
  .description('Imports and exports the curriculum and rosters of a running system. LMS_TOKEN is the access token.')
  .option('--url <url>', 'the gateway; by default that of the local stack')
  .option('--email <email>', 'without LMS_TOKEN, who signs in at the local identity provider', 'admin@lms.test')
  .option('--password <password>', 'the password for --email', 'password')
  .addHelpText('afterAll', '\nExit codes: 0 success, 1 failure or lines with errors, 2 wrong usage')
  .showHelpAfterError()
  .exitOverride();

program
  .command('import')
  .description('imports a curriculum')
  .argument('<file>', '.json, .zip, .csv or .imscc', filePath)
  .addOption(new Option('--mode <mode>', 'what happens to existing items').choices(modes).default('upsert' as const))
  .addOption(dryRun())
  .action(async (file, options) => importCurriculum(await connect(), file, options));

program
  .command('export')
  .description('exports the curriculum, or one item with everything below it')
  .addOption(new Option('--format <format>').choices(formats).default('zip' as const))
  .addOption(new Option('--root-type <type>', 'the kind of the item').choices(rootTypes))
  .option('--root-id <id>', 'the item')
  .option('--include-media', 'include videos, captions and documents', false)
  .addOption(output())
  .action(async ({ format, rootType, rootId, includeMedia, output }, command) => {
    if ((rootType === undefined) !== (rootId === undefined))
      command.error('error: --root-type and --root-id belong together');
    const root = rootType && rootId ? { rootType, rootId } : {};
    await exportCurriculum(await connect(), { format, includeMedia, ...root }, { output, directory });
  });

const roster = program.command('roster').description('enrollments of many users');
roster
  .command('import')
  .description('enrolls the users of a file with the columns email, userId, subjectId, subjectExternalId, expiresAt')
  .argument('<file>', 'CSV', filePath)
  .addOption(dryRun())
  .action(async (file, options) => importRoster(await connect(), file, options));
roster
  .command('export')
  .description('downloads all enrollments as CSV')
  .option('--subject <id>', 'the learners of this subject, with their progress')
  .addOption(new Option('--status <status>').choices(enrollmentStatuses))
  .addOption(output())
  .action(async ({ output, ...options }) => exportRoster(await connect(), options, { output, directory }));

/** A client of the running system, with `LMS_TOKEN` or a token of the local identity provider. */
async function connect(): Promise<Client> {
  const { url, email, password } = program.opts();
  const given = process.env.LMS_TOKEN;
  const stack = given && url ? { gatewayUrl: url, providerUrl: '' } : await readStack(process.env);
  let token = given ?? (await signIn(stack.providerUrl, email, password, startHint));
  return createClient({
    baseUrl: url ?? stack.gatewayUrl,
    fetch: (request) => reach(request, url ? '' : startHint),
    maxWaitSeconds: 60,
    onWait: ({ seconds }) => console.error(`The rate limit is reached; waiting for ${seconds} s`),
    async token({ forceRefresh }) {
      // Tokens expire after an hour, and a large import may take longer.
      if (forceRefresh && !given) token = await signIn(stack.providerUrl, email, password, startHint);
      return token;
    },
  });
}

function describe(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : error;
  const { field, message, value } = Object(error.failure.code === 'VALIDATION_ERROR' && error.failure.details);
  return field === undefined ? error.message : `${error.message}: ${field} ${message}${value ? `: ${value}` : ''}`;
}

// A reader of the output, as `head`, may end first.
process.stdout.on('error', (error) => {
  if (Object(error).code !== 'EPIPE') throw error;
  process.exit();
});

// What has to be undone is a listener of `exit`. Ctrl-C sends the signal twice: from the terminal and from run.mjs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));

try {
  const args = process.argv.slice(2);
  await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' });
} catch (error) {
  // Commander has written its message.
  if (!(error instanceof CommanderError)) console.error(describe(error));
  process.exitCode = !(error instanceof CommanderError) ? 1 : error.exitCode === 0 ? 0 : 2;
}
