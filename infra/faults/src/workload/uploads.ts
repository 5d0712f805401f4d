import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
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

const topics = [1, 2, 3];
/** What a complete import leaves behind: a level, a grade, a subject, and topics with one document each. */
export const imported = { items: 3 + topics.length, documents: topics.length };
/** Begins the names of the files. */
export const importPrefix = 'Import';

/** An archive whose items have the name of the file as their description. */
function createArchive(description: string): Promise<Buffer> {
  const file = (number: number) => `documents/${number}.txt`;
  const item = (kind: string) => ({
    externalId: `${description} ${kind}`,
    name: `${description} ${kind}`,
    description,
  });
  const subject = {
    ...item('subject'),
    topics: topics.map((number) => ({
      ...item(`topic ${number}`),
      content: 'Imported',
      documents: [{ file: file(number), name: `${description} ${number}`, description }],
    })),
  };
  const levels = [{ ...item('level'), grades: [{ ...item('grade'), level: 'primary', subjects: [subject] }] }];
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify({ version: 1, levels })), 'curriculum.json');
  for (const number of topics) zip.addBuffer(Buffer.from(`${description}, document ${number}`), file(number));
  zip.end();
  return buffer(zip.outputStream);
}

/** Imports one archive after the other. */
export function createImporting({ send }: Journal, user: User) {
  const path = '/admin/education/imports';
  let running = '';

  return async () => {
    if (running) {
      const job = await send({ user, path: `${path}/${running}` });
      const hasEnded = ['completed', 'failed', 'cancelled'].includes(fieldOf(job, 'status'));
      if (hasEnded || job.status === 404) running = '';
      return;
    }
    const fileName = `${unique(importPrefix)}.zip`;
    const form = new FormData();
    form.set('file', new Blob([await createArchive(fileName)]), fileName);
    const created = await send({ user, method: 'POST', path, form, importOf: fileName });
    if (isAcknowledged(created)) running = fieldOf(created, 'id');
  };
}
