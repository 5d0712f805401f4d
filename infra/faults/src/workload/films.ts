import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unique } from './course.ts';
import { fieldOf, isAcknowledged, type Journal, type User } from './journal.ts';

const run = promisify(execFile);
/** After this time another film is uploaded, whatever has become of the last one. */
const replaceAfterMs = 60_000;

/** Makes a film of eight seconds. Returns undefined without ffmpeg: then there are no renditions either. */
export async function makeFilm(directory: string): Promise<Buffer | undefined> {
  const path = join(directory, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=426x240:rate=15:duration=8'];
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=8'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  try {
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...source, ...sound, ...codecs, path]);
  } catch {
    return undefined;
  }
  return readFile(path);
}

/** Replaces the video of a topic each time its renditions are ready. */
export function createFilming({ send }: Journal, user: User, { topicId, film }: { topicId: string; film: Buffer }) {
  const path = `/admin/education/topics/${topicId}/video`;
  let uploadedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    if (Date.now() < uploadedAt + replaceAfterMs) {
      const processing = await send({ user, path: `/education/topics/${topicId}/video/processing` });
      if (!isAcknowledged(processing) || !['ready', 'failed'].includes(fieldOf(processing, 'status'))) return;
    }
    const fileName = `${unique('Film')}.mp4`;
    const form = new FormData();
    form.set('video', new Blob([film]), fileName);
    const write = { fact: 'film', key: topicId, value: fileName } as const;
    const uploaded = await send({ user, method: 'PUT', path, form, write });
    if (isAcknowledged(uploaded)) uploadedAt = Date.now();
  };
}
