import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Client, type paths, unwrap } from '@lms/client';
import { SingleBar } from 'cli-progress';
import { type Job, untilFinished } from '../job.ts';
import { reach } from '../running-stack.ts';

interface CurriculumOptions {
  mode: 'create' | 'upsert' | 'mirror';
  dryRun: boolean;
}

/** Imports a curriculum and waits for the end. @throws if the import fails */
export async function importCurriculum(client: Client, path: string, { mode, dryRun }: CurriculumOptions) {
  const file = await openFile(path);
  const result = await runJob(
    'imports',
    (update) => {
      const onProgress = (sent: number, total: number) => update((sent / total) * 100, 'uploading');
      return unwrap(client.importCurriculum({ file, mode, dryRun }, { onProgress }));
    },
    (id) => unwrap(client.GET('/api/admin/education/imports/{id}', { params: { path: { id } } })),
  );
  for (const { severity, line, pointer, code, message } of result.issues)
    console.error(`${severity}: ${line === undefined ? (pointer ?? '') : `line ${line}`}: ${code} ${message}`);
  const hidden = result.issueCount - result.issues.length;
  if (hidden > 0) console.error(`${hidden} more issues`);

  const { created, updated, unchanged, deleted, media } = result.counts;
  const summary = `${created} created, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted, ${media} files`;
  if (result.status !== 'completed')
    throw new Error(`The import ${result.id} is ${result.status}: ${result.issueCount} issues; ${summary}`);
  console.log(dryRun ? `Dry run: ${summary}; nothing was changed` : summary);
}

/** Prints the lines that failed. @throws if there are any */
export async function importRoster(client: Client, path: string, { dryRun }: Pick<CurriculumOptions, 'dryRun'>) {
  const { counts, results } = await unwrap(client.importRoster({ file: await openFile(path, 'text/csv'), dryRun }));
  for (const { line, ok, code, error } of results) if (!ok) console.error(`line ${line}: ${code} ${error}`);
  const { created, approved, unchanged, failed } = counts;
  const summary = `${created} created, ${approved} approved, ${unchanged} unchanged, ${failed} failed`;
  console.log(dryRun ? `Dry run: ${summary}; nothing was changed` : summary);
  if (failed > 0) throw new Error(`${failed} of ${counts.lines} lines failed`);
}

/** The file is read while it is sent. */
async function openFile(path: string, type = ''): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path), { type });
  } catch {
    throw new Error(`${path} cannot be read`);
  }
}

interface Target {
  /** The path of the file, or `-` for standard output. Without it, the server names the file. */
  output?: string | undefined;
  directory: string;
}

type ExportRequest = paths['/api/admin/education/exports']['post']['requestBody']['content']['application/json'];
type RosterQuery = NonNullable<paths['/api/admin/enrollment.csv']['get']['parameters']['query']>;

/** Exports the curriculum, waits for the file and downloads it. @throws if the export fails */
export async function exportCurriculum(client: Client, body: ExportRequest, target: Target) {
  const { status, error, downloadUrl, checksum } = await runJob(
    'exports',
    () => unwrap(client.POST('/api/admin/education/exports', { body })),
    (id) => unwrap(client.GET('/api/admin/education/exports/{id}', { params: { path: { id } } })),
  );
  if (downloadUrl === null) throw new Error(`The export is ${status}: ${error ?? 'it has no file'}`);
  const response = await reach(new Request(downloadUrl));
  if (!response.ok) throw new Error(`The download failed with the status ${response.status}`);
  await saveResponse(response, target, checksum);
}

/** Downloads all enrollments, or the learners of a subject with their progress. */
export async function exportRoster(
  client: Client,
  { subject, status }: { subject?: string | undefined; status?: RosterQuery['status'] },
  target: Target,
) {
  const query = status === undefined ? {} : { status };
  const { response, error } =
    subject === undefined
      ? await client.GET('/api/admin/enrollment.csv', { params: { query }, parseAs: 'stream' })
      : await client.GET('/api/mentor/subjects/{id}/learners.csv', {
          params: { path: { id: subject }, query },
          parseAs: 'stream',
        });
  if (error) throw new ApiError(error, response);
  await saveResponse(response, target);
}

/** Writes a file as it arrives; it has its name once it is complete. @throws if it has another checksum, `sha256:` and a hash */
async function saveResponse({ headers, body }: Response, { output, directory }: Target, checksum?: string | null) {
  if (!body) throw new Error('The response has no body');
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const source = Readable.fromWeb(body);
  if (output === '-') return pipeline(source, process.stdout, { end: false });
  const suggested = /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const file = output ?? join(directory, suggested ?? 'download');
  const partial = `${file}.part`;
  process.once('exit', () => rmSync(partial, { force: true }));
  await pipeline(source, hashed, createWriteStream(partial));
  if (checksum && checksum !== `sha256:${hash.digest('hex')}`)
    throw new Error('The file arrived damaged: its checksum differs');
  await rename(partial, file);
  console.log(`Saved ${file}`);
}

interface VisibleJob extends Job {
  id: string;
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
    const finished = await untilFinished(started, () => read(started.id), { pollMs: 1_000, onProgress });
    unfinished = undefined;
    return finished;
  } finally {
    bar.stop();
  }
}
