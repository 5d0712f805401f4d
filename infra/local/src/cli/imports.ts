import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type Client, unwrap } from '@lms/client';
import { runJob } from './run-job.ts';

interface CurriculumOptions {
  mode: 'create' | 'upsert' | 'mirror';
  dryRun: boolean;
}

/** Imports a curriculum and waits for the end. @throws if the import fails */
export async function importCurriculum(client: Client, path: string, { mode, dryRun }: CurriculumOptions) {
  const file = await openFile(path);
  const result = await runJob(
    'uploading',
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
