import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Client, type paths, unwrap } from '@lms/client';
import { runJob } from './run-job.ts';

export interface Target {
  /** The path of the file, or `-` for standard output. Without it, the server names the file. */
  output?: string | undefined;
  directory: string;
}

type ExportRequest = paths['/api/admin/education/exports']['post']['requestBody']['content']['application/json'];
type RosterQuery = NonNullable<paths['/api/admin/enrollment.csv']['get']['parameters']['query']>;

/** Exports the curriculum, waits for the file and downloads it. @throws if the export fails */
export async function exportCurriculum(client: Client, body: ExportRequest, target: Target) {
  const { status, error, downloadUrl, checksum } = await runJob(
    'exporting',
    () => unwrap(client.POST('/api/admin/education/exports', { body })),
    (id) => unwrap(client.GET('/api/admin/education/exports/{id}', { params: { path: { id } } })),
  );
  if (downloadUrl === null) throw new Error(`The export is ${status}: ${error ?? 'it has no file'}`);
  const response = await fetch(downloadUrl);
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
  if (error) throw new ApiError(error, response.status);
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
  try {
    await pipeline(source, hashed, createWriteStream(partial));
    if (checksum && checksum !== `sha256:${hash.digest('hex')}`)
      throw new Error('The file arrived damaged: its checksum differs');
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  console.log(`Saved ${file}`);
}
