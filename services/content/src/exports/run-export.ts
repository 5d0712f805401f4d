import { Readable } from 'node:stream';
import { JobFileResponse, putJobFilePath } from '@lms/contracts/internal/media';
import type { Db } from '@lms/database/connect';
import { statusOf, unavailable } from '@lms/service/problems';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { Value } from '@sinclair/typebox/value';
import { FileChanged } from './errors.ts';
import type { MediaFile } from './item-files.ts';
import type { Export, Result } from './repository.ts';
import type { ExportFormat } from './table.ts';
import { type Snapshot, takeSnapshot } from './take-snapshot.ts';
import { type ArchiveOptions, writeCartridge, writeZip } from './write-archive.ts';
import { writeCsv } from './write-csv.ts';
import { writeCurriculum } from './write-curriculum.ts';

const resultLifetimeMs = 86_400_000;

export interface ExportRun {
  db: Db;
  media: Pick<ServiceClient, 'transfer'>;
  /** The authority for one request to media. */
  createContext: () => CallContext;
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

interface Output {
  bytes: Readable;
  written: Promise<unknown>;
}

/** How the items of a snapshot become a file; `passes` is how often they are read. */
const formats: Record<ExportFormat, { passes: number; write: (options: ArchiveOptions) => Output }> = {
  json: { passes: 1, write: ({ snapshot }) => toOutput(writeCurriculum(snapshot.items())) },
  csv: { passes: 1, write: ({ snapshot }) => toOutput(writeCsv(snapshot.items())) },
  zip: { passes: 2, write: writeZip },
  imscc: { passes: 3, write: writeCartridge },
};
const toOutput = (parts: AsyncIterable<string>): Output => ({
  bytes: Readable.from(parts),
  written: Promise.resolve(),
});

/** The name under which clients save an export. */
export const fileNameOf = ({ format, createdAt }: Pick<Export, 'format' | 'createdAt'>) =>
  `curriculum-${createdAt.toISOString().slice(0, 10)}.${format}`;

/** Whether the videos and documents are part of the file. */
export const hasMedia = ({ format, includeMedia }: Pick<Export, 'format' | 'includeMedia'>) =>
  includeMedia && (format === 'zip' || format === 'imscc');

/** Writes an export into its file at media: first a snapshot of the items, then everything from there. */
export async function runExport(job: Export, run: ExportRun): Promise<Result> {
  let done = 0;
  let total = 0;
  const count = (bytes: number) => {
    done += bytes;
    if (total > 0) run.onProgress(Math.min(99, Math.floor((100 * done) / total)));
  };
  const snapshot = await takeSnapshot(run.db, { ...job, includeMedia: hasMedia(job) }, count);
  try {
    const { passes, write } = formats[job.format];
    total = passes * snapshot.bytes + snapshot.mediaBytes;
    return await send(job, run, snapshot, write, count);
  } finally {
    await snapshot.close();
  }
}

async function send(
  job: Export,
  { media, createContext, signal }: ExportRun,
  snapshot: Snapshot,
  write: (options: ArchiveOptions) => Output,
  count: (bytes: number) => void,
): Promise<Result> {
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);

  /** @throws FileChanged */
  async function openMedia({ address, version, title }: MediaFile): Promise<Readable> {
    const headers = version && { 'if-match': version.etag };
    const request = { path: address, signal: ended, ...(headers && { headers }) };
    const { body } = await media.transfer(createContext(), request).catch((cause: unknown) => {
      const status = statusOf(cause);
      throw status === 404 || status === 412 ? new FileChanged(title, { cause }) : cause;
    });
    body.on('data', (chunk: Buffer) => count(chunk.length));
    body.pause();
    return body;
  }

  const expiresAt = new Date(Date.now() + resultLifetimeMs);
  const { bytes, written } = write({ snapshot, key: job.rootId ?? 'curriculum', openMedia, signal: ended });
  const stored = media.transfer(createContext(), {
    method: 'PUT',
    path: putJobFilePath(job.fileId ?? '', { fileName: fileNameOf(job), expiresAt }),
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
    signal: ended,
  });
  try {
    const [response] = await Promise.all([stored, written]);
    const json = await response.body.json();
    if (!Value.Check(JobFileResponse, json)) throw unavailable(new Error('media returned an unexpected body'));
    return { size: json.data.size, checksum: json.data.checksum, expiresAt };
  } catch (error) {
    failed.abort(error);
    bytes.destroy();
    await Promise.allSettled([stored, written]);
    throw error;
  }
}
