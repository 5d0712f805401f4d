import { createWriteStream, openAsBlob, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { ApiError, type Client, type ClientOptions, createClient, unwrap } from '@lms/client';
import { type Job, untilFinished } from '@lms/client/jobs';
import { SingleBar } from 'cli-progress';

const dryRun = () => new Option('--dry-run', 'report what would change, and change nothing').default(false);
const output = () => new Option('-o, --output <file>', 'the file, or - for standard output');
const modes = ['create', 'upsert', 'mirror'] as const;
const formats = ['json', 'zip', 'csv', 'imscc'] as const;
const rootTypes = ['level', 'grade', 'subject', 'topic'] as const;
const statuses = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'WITHDRAWN', 'REVOKED', 'EXPIRED'] as const;

export interface Connection extends Required<Pick<ClientOptions, 'token'>> {
  /** The URL of the gateway. */
  url: string;
}

/** What the user has given, as options or in the environment. */
interface Given {
  url?: string | undefined;
  token?: string | undefined;
}

const connectAsGiven = ({ url, token }: Given): Connection | undefined =>
  url && token ? { url, token: () => token } : undefined;

/**
 * The commands that import and export rosters and the curriculum of a running system.
 * @param locate completes what the user has given
 */
export function createCommandLine(
  name: string,
  locate: (given: Given) => Connection | Promise<Connection> | undefined = connectAsGiven,
) {
  const program = new Command(name)
    .description('Imports and exports the curriculum and rosters of a learning management service.')
    .addOption(new Option('--url <url>', 'the gateway, such as https://lms.example').env('LMS_URL'))
    .addOption(new Option('--token <token>', 'the access token of an administrator').env('LMS_TOKEN'))
    .addHelpText('afterAll', '\nExit codes: 0 success, 1 failure or lines with errors, 2 wrong usage')
    .showHelpAfterError()
    .exitOverride();

  async function connect(): Promise<Client> {
    const connection = await locate(program.opts());
    if (!connection) return program.error('error: the gateway (--url or LMS_URL) and LMS_TOKEN are required');
    return createClient({
      ...{ baseUrl: connection.url, token: connection.token, fetch: reach, maxWaitSeconds: 60 },
      onWait: ({ seconds }) => console.error(`The rate limit is reached; waiting for ${seconds} s`),
    });
  }

  program
    .command('import')
    .description('imports a curriculum')
    .argument('<file>', '.json, .zip, .csv or .imscc')
    .addOption(new Option('--mode <mode>', 'what happens to existing items').choices(modes).default('upsert' as const))
    .addOption(dryRun())
    .action(async (path, { mode, dryRun }) => {
      const client = await connect();
      const file = await openFile(path);
      const { id, status, issues, issueCount, counts } = await runJob(
        'imports',
        (update) => {
          const onProgress = (sent: number, total: number) => update((sent / total) * 100, 'uploading');
          return unwrap(client.importCurriculum({ file, mode, dryRun }, { onProgress }));
        },
        (id) => unwrap(client.GET('/api/admin/education/imports/{id}', { params: { path: { id } } })),
      );
      for (const { severity, line, pointer, code, message } of issues)
        console.error(`${severity}: ${line === undefined ? (pointer ?? '') : `line ${line}`}: ${code} ${message}`);
      const { created, updated, unchanged, deleted, media } = counts;
      const summary = `${created} created, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted, ${media} files`;
      if (status !== 'completed') throw new Error(`The import ${id} is ${status}: ${issueCount} issues; ${summary}`);
      printResult(summary, dryRun);
    });

  program
    .command('export')
    .description('exports the curriculum, or one item with everything below it')
    .addOption(new Option('--format <format>').choices(formats).default('zip' as const))
    .addOption(new Option('--root-type <type>', 'the kind of the item').choices(rootTypes))
    .option('--root-id <id>', 'the item')
    .option('--include-media', 'include videos, captions and documents', false)
    .addOption(output())
    .action(async ({ output, ...body }, command) => {
      if (!body.rootType !== !body.rootId) command.error('error: --root-type and --root-id belong together');
      const client = await connect();
      const { status, error, downloadUrl } = await runJob(
        'exports',
        () => unwrap(client.POST('/api/admin/education/exports', { body })),
        (id) => unwrap(client.GET('/api/admin/education/exports/{id}', { params: { path: { id } } })),
      );
      if (downloadUrl === null) throw new Error(`The export is ${status}: ${error ?? 'it has no file'}`);
      const response = await reach(new Request(downloadUrl));
      if (!response.ok) throw new Error(`The download failed with the status ${response.status}`);
      await saveResponse(response, output);
    });

  const roster = program.command('roster').description('enrollments of many users');
  roster
    .command('import')
    .description('enrolls the users of a file with the columns email, userId, subjectId, subjectExternalId, expiresAt')
    .argument('<file>', 'CSV')
    .addOption(dryRun())
    .action(async (path, { dryRun }) => {
      const client = await connect();
      const { counts, results } = await unwrap(client.importRoster({ file: await openFile(path, 'text/csv'), dryRun }));
      for (const { line, ok, code, error } of results) if (!ok) console.error(`line ${line}: ${code} ${error}`);
      const { created, approved, unchanged, failed, lines } = counts;
      printResult(`${created} created, ${approved} approved, ${unchanged} unchanged, ${failed} failed`, dryRun);
      if (failed > 0) throw new Error(`${failed} of ${lines} lines failed`);
    });

  roster
    .command('export')
    .description('downloads all enrollments as CSV')
    .option('--subject <id>', 'the learners of this subject, with their progress')
    .addOption(new Option('--status <status>').choices(statuses))
    .addOption(output())
    .action(async ({ subject: id, output, ...query }) => {
      const client = await connect();
      const parseAs = 'stream';
      const { response, error } = id
        ? await client.GET('/api/mentor/subjects/{id}/learners.csv', { params: { path: { id }, query }, parseAs })
        : await client.GET('/api/admin/enrollment.csv', { params: { query }, parseAs });
      if (error) throw new ApiError(error, response);
      await saveResponse(response, output);
    });

  return program;
}

/** As fetch, but the error names the address, without the query, which may be a signature. */
const reach = (request: Request) =>
  fetch(request).catch((error) => {
    throw new Error(`${request.url.replace(/\?.*/, '')} cannot be reached`, { cause: error.cause ?? error });
  });

const printResult = (summary: string, dryRun: boolean) =>
  console.log(dryRun ? `Dry run: ${summary}; nothing was changed` : summary);

/** The file is read while it is sent. */
async function openFile(path: string, type = ''): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path), { type });
  } catch {
    throw new Error(`${path} cannot be read`);
  }
}

/**
 * Writes a file as it arrives; it has its name once it is complete. Without a path, the server names it; `-` is standard output.
 */
async function saveResponse({ headers, body }: Response, path?: string) {
  const source = body ? Readable.fromWeb(body) : Readable.from([]);
  if (path === '-') return pipeline(source, process.stdout, { end: false });
  const suggested = /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const file = path ?? suggested ?? 'download';
  const partial = `${file}.part`;
  process.once('exit', () => rmSync(partial, { force: true }));
  await pipeline(source, createWriteStream(partial));
  await rename(partial, file);
  console.log(`Saved ${file}`);
}

interface VisibleJob extends Job {
  percent: number;
  status: string;
}

/** Starts an import or export and waits for its end, with a progress bar on standard error if that is a terminal. */
async function runJob<J extends VisibleJob>(
  kind: 'imports' | 'exports',
  start: (update: (percent: number, status: string) => void) => Promise<J>,
  read: (id: string) => Promise<J>,
): Promise<J> {
  const format = '{status} [{bar}] {percentage} %';
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true });
  const update = (percent: number, status: string) => bar.update(percent, { status });
  let unfinished: string | undefined;
  process.once('exit', () => {
    bar.stop();
    if (unfinished) console.error(`The job continues on the server: GET ${unfinished}`);
  });
  bar.start(100, 0, { status: 'starting' });
  try {
    const started = await start(update);
    bar.stop();
    if (started.finishedAt !== null) return started;
    unfinished = `/api/admin/education/${kind}/${started.id}`;
    console.error(`Started ${unfinished}`);
    bar.start(100, started.percent, { status: started.status });
    const onProgress = ({ percent, status }: J) => update(percent, status);
    const finished = await untilFinished(started, read, { onProgress });
    unfinished = undefined;
    return finished;
  } finally {
    bar.stop();
  }
}

/** Executes the command that the arguments of the process name, and sets its exit code. */
export async function run(commandLine: ReturnType<typeof createCommandLine>): Promise<void> {
  // What has to be undone is a listener of `exit`. Started by npm, Ctrl-C sends the signal twice: from the terminal and from npm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  try {
    await commandLine.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has written its message, or the help.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.exitCode = 1;
    console.error(describe(error));
    const failure = error instanceof ApiError ? error.failure : undefined;
    if (failure?.code === 'VALIDATION_ERROR') console.error(failure.details);
  }
}

/** The message of an error with that of what has caused it. An error of several attempts to connect has a code only. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message || Object(error).code;
  return error.cause ? `${message}: ${describe(error.cause)}` : message;
}
