import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from './parse-command.ts';

export interface Target {
  /** The path of the file, or `-` for standard output. Without it, the server names the file. */
  output: string | undefined;
  directory: string;
  /** `sha256:` and the hash that the file must have. */
  checksum?: string | null;
}

/** Writes a file as it arrives; it has its name once it is complete. @throws CommandFailed if the checksum differs */
export async function saveResponse({ headers, body }: Response, { output, directory, checksum }: Target) {
  if (!body) throw new CommandFailed('The response has no body');
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
      throw new CommandFailed('The file arrived damaged: its checksum differs');
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  console.log(`Saved ${file}`);
}
