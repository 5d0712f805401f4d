import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Film {
  /** A gray picture takes a third of the time to encode and to decode. */
  picture?: 'test pattern' | 'gray';
  size?: string;
  seconds?: number;
  rate?: number;
  extension?: string;
  /** Options of further inputs. */
  inputs?: string[];
  /** Options of the output. */
  options?: string[];
  hasAudio?: boolean;
}

/** Makes a short film with ffmpeg. */
export async function makeFilm({
  picture = 'test pattern',
  size = '640x360',
  seconds = 2,
  rate = 10,
  extension = 'mp4',
  inputs = [],
  options = [],
  hasAudio = true,
}: Film = {}): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'lms-film-'));
  const path = join(directory, `film.${extension}`);
  const source = picture === 'gray' ? 'color=gray:' : 'testsrc=';
  const pictures = ['-f', 'lavfi', '-i', `${source}size=${size}:rate=${rate}:duration=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const codecs = extension === 'avi' ? ['-c:v', 'mpeg4'] : ['-c:v', 'libx264', '-preset', 'ultrafast'];
  try {
    const args = [
      ...pictures,
      ...(hasAudio ? sound : []),
      ...inputs,
      '-threads',
      '1',
      ...codecs,
      '-pix_fmt',
      'yuv420p',
      ...options,
    ];
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...args, path]);
    return await readFile(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
