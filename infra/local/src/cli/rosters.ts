import { basename } from 'node:path';
import { ApiError, type Client, unwrap } from '@lms/client';
import { openFile } from './open-file.ts';
import { CommandFailed, type CommandOf } from './parse-command.ts';
import { saveResponse } from './save-response.ts';

/** Prints the lines that failed. @throws CommandFailed if there are any */
export async function importRoster(client: Client, { file, dryRun }: CommandOf<'roster import'>) {
  const roster = new File([await openFile(file)], basename(file), { type: 'text/csv' });
  const { counts, results } = await unwrap(client.importRoster({ file: roster, dryRun }));
  for (const { line, ok, code, error } of results) if (!ok) console.error(`line ${line}: ${code} ${error}`);
  const { created, approved, unchanged, failed } = counts;
  const summary = `${created} created, ${approved} approved, ${unchanged} unchanged, ${failed} failed`;
  console.log(dryRun ? `Dry run: ${summary}; nothing was changed` : summary);
  if (failed > 0) throw new CommandFailed(`${failed} of ${counts.lines} lines failed`);
}

export async function exportRoster(client: Client, { subject, status, output, directory }: CommandOf<'roster export'>) {
  const query = status === undefined ? {} : { status };
  const { response, error } =
    subject === undefined
      ? await client.GET('/api/admin/enrollment.csv', { params: { query }, parseAs: 'stream' })
      : await client.GET('/api/mentor/subjects/{id}/learners.csv', {
          params: { path: { id: subject }, query },
          parseAs: 'stream',
        });
  if (error) throw new ApiError(error, response.status);
  await saveResponse(response, { output, directory });
}
