import { createWriteStream, openAsBlob, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename } from 'node:path';
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
}

/** Prints the lines that failed. @throws if there are any */
export async function importRoster(client: Client, path: string, { dryRun }: Pick<CurriculumOptions, 'dryRun'>) {
  const { counts, results } = await unwrap(client.importRoster({ file: await openFile(path, 'text/csv'), dryRun }));
  for (const { line, ok, code, error } of results) if (!ok) console.error(`line ${line}: ${code} ${error}`);
  const { created, approved, unchanged, failed, lines } = counts;
  printResult(`${created} created, ${approved} approved, ${unchanged} unchanged, ${failed} failed`, dryRun);
  if (failed > 0) throw new Error(`${failed} of ${lines} lines failed`);
}

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

/** The path of a file, or `-` for standard output. Without it, the server names the file. */
type Output = string | undefined;

type ExportRequest = paths['/api/admin/education/exports']['post']['requestBody']['content']['application/json'];
type RosterQuery = NonNullable<paths['/api/admin/enrollment.csv']['get']['parameters']['query']>;

/** Exports the curriculum, waits for the file and downloads it. @throws if the export fails */
export async function exportCurriculum(client: Client, body: ExportRequest, output: Output) {
  const { status, error, downloadUrl } = await runJob(
    'exports',
    () => unwrap(client.POST('/api/admin/education/exports', { body })),
    (id) => unwrap(client.GET('/api/admin/education/exports/{id}', { params: { path: { id } } })),
  );
  if (downloadUrl === null) throw new Error(`The export is ${status}: ${error ?? 'it has no file'}`);
  const response = await reach(new Request(downloadUrl));
  if (!response.ok) throw new Error(`The download failed with the status ${response.status}`);
  await saveResponse(response, output);
}

/** Downloads all enrollments, or the learners of a subject with their progress. */
export async function exportRoster(client: Client, id: string | undefined, query: RosterQuery, output: Output) {
  const parseAs = 'stream';
  const { response, error } = id
    ? await client.GET('/api/mentor/subjects/{id}/learners.csv', { params: { path: { id }, query }, parseAs })
    : await client.GET('/api/admin/enrollment.csv', { params: { query }, parseAs });
  if (error) throw new ApiError(error, response);
  await saveResponse(response, output);
}

/** Writes a file as it arrives; it has its name once it is complete. */
async function saveResponse({ headers, body }: Response, output: Output) {
  const source = body ? Readable.fromWeb(body) : Readable.from([]);
  if (output === '-') return pipeline(source, process.stdout, { end: false });
  const suggested = /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const file = output ?? suggested ?? 'download';
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
