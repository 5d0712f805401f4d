import { constants } from 'node:os';
import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { ApiError, type Client, createClient } from '@lms/client';
import { enrollmentStatuses } from '@lms/contracts/events/enrollment';
import { exportCurriculum, exportRoster, importCurriculum, importRoster } from './cli/transfers.ts';
import { reach, readStack, signIn, startHint } from './running-stack.ts';

const dryRun = () => new Option('--dry-run', 'report what would change, and change nothing').default(false);
const output = () => new Option('-o, --output <file>', 'the file, or - for standard output (with npm run -s lms)');
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
  .argument('<file>', '.json, .zip, .csv or .imscc')
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
    await exportCurriculum(await connect(), { format, includeMedia, ...root }, output);
  });

const roster = program.command('roster').description('enrollments of many users');
roster
  .command('import')
  .description('enrolls the users of a file with the columns email, userId, subjectId, subjectExternalId, expiresAt')
  .argument('<file>', 'CSV')
  .addOption(dryRun())
  .action(async (file, options) => importRoster(await connect(), file, options));
roster
  .command('export')
  .description('downloads all enrollments as CSV')
  .option('--subject <id>', 'the learners of this subject, with their progress')
  .addOption(new Option('--status <status>').choices(enrollmentStatuses))
  .addOption(output())
  .action(async ({ subject, output, ...query }) => exportRoster(await connect(), subject, query, output));

/** A client of the running system, with `LMS_TOKEN` or a token of the local identity provider. */
async function connect(): Promise<Client> {
  const { url, email, password } = program.opts();
  const given = process.env.LMS_TOKEN;
  const stack = given && url ? { gatewayUrl: url, providerUrl: '' } : await readStack(process.env);
  // npm runs scripts in the folder of the package; file names are relative to that of the user.
  process.chdir(process.env.INIT_CWD ?? '.');
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

// What has to be undone is a listener of `exit`. Ctrl-C sends the signal twice: from the terminal and from npm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has written its message, or the help.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(error instanceof Error ? error.message : error);
    const failure = error instanceof ApiError ? error.failure : undefined;
    if (failure?.code === 'VALIDATION_ERROR') console.error(failure.details);
    process.exitCode = 1;
  }
}
