import { openAsBlob } from 'node:fs';
import { CommandFailed } from './parse-command.ts';

/** The file is read while it is sent. @throws CommandFailed if it cannot be read */
export async function openFile(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch {
    throw new CommandFailed(`${file} cannot be read`);
  }
}
