import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, unwrap } from '@lms/client';
import { openFile } from './open-file.ts';
import { CommandFailed, type CommandOf } from './parse-command.ts';
import { startProgress } from './progress.ts';

const ended = ['completed', 'failed', 'cancelled'];
const pollMs = 1_000;

/** Imports a curriculum and waits for the end. @throws CommandFailed if the import fails */
export async function importCurriculum(client: Client, { file, mode, dryRun }: CommandOf<'import'>) {
  const curriculum = new File([await openFile(file)], basename(file));
  const result = await run(client, curriculum, { mode, dryRun });
  for (const { severity, line, pointer, code, message } of result.issues)
    console.error(`${severity}: ${line === undefined ? (pointer ?? '') : `line ${line}`}: ${code} ${message}`);
  const hidden = result.issueCount - result.issues.length;
  if (hidden > 0) console.error(`${hidden} more issues`);

  const { created, updated, unchanged, deleted, media } = result.counts;
  const summary = `${created} created, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted, ${media} files`;
  if (result.status !== 'completed')
    throw new CommandFailed(`The import ${result.id} is ${result.status}: ${result.issueCount} issues; ${summary}`);
  console.log(dryRun ? `Dry run: ${summary}; nothing was changed` : summary);
}

async function run(client: Client, file: File, query: Pick<CommandOf<'import'>, 'mode' | 'dryRun'>) {
  const progress = startProgress('uploading');
  try {
    const onProgress = (sent: number, total: number) => progress.update((sent / total) * 100, 'uploading');
    let current = await unwrap(client.importCurriculum({ file, ...query }, { onProgress }));
    const params = { path: { id: current.id } };
    while (!ended.includes(current.status)) {
      progress.update(current.percent, current.status);
      await pause(pollMs);
      current = await unwrap(client.GET('/api/admin/education/imports/{id}', { params }));
    }
    return current;
  } finally {
    progress.stop();
  }
}
