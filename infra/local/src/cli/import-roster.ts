import { basename } from 'node:path';
import { type Client, unwrap } from '@lms/client';
import { openFile } from './open-file.ts';
import { CommandFailed, type CommandOf } from './parse-command.ts';

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
