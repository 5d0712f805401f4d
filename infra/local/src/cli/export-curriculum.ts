import { setTimeout as pause } from 'node:timers/promises';
import { type Client, unwrap } from '@lms/client';
import { CommandFailed, type CommandOf } from './parse-command.ts';
import { startProgress } from './progress.ts';
import { saveResponse } from './save-response.ts';

const pollMs = 1_000;

/** Exports the curriculum, waits for the file and downloads it. @throws CommandFailed if the export fails */
export async function exportCurriculum(
  client: Client,
  { format, root, includeMedia, output, directory }: CommandOf<'export'>,
) {
  const { status, error, downloadUrl, checksum } = await run(client, { format, includeMedia, ...root });
  if (downloadUrl === null) throw new CommandFailed(`The export is ${status}: ${error ?? 'it has no file'}`);
  const response = await fetch(downloadUrl);
  if (!response.ok) throw new CommandFailed(`The download failed with the status ${response.status}`);
  await saveResponse(response, { output, directory, checksum });
}

async function run(
  client: Client,
  body: Pick<CommandOf<'export'>, 'format' | 'includeMedia'> & CommandOf<'export'>['root'],
) {
  const progress = startProgress('exporting');
  try {
    let current = await unwrap(client.POST('/api/admin/education/exports', { body }));
    const params = { path: { id: current.id } };
    while (current.finishedAt === null) {
      progress.update(current.percent, current.status);
      await pause(pollMs);
      current = await unwrap(client.GET('/api/admin/education/exports/{id}', { params }));
    }
    return current;
  } finally {
    progress.stop();
  }
}
