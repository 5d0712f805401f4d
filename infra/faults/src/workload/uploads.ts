import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { fieldOf, formOf, importedTopics, isAcknowledged, type Journal, type User, unique } from './journal.ts';

/** After this time another film is uploaded, whatever has become of the last one. */
const replaceAfterMs = 60_000;

/** A mentor uploads one film after the other, and an admin one archive. `replaceFilm` is undefined without ffmpeg. */
export async function createUploads(
  { send, create }: Journal,
  { admin, mentor }: { admin: User; mentor: User },
  filmTopicId: string,
  directory: string,
) {
  const film = await makeFilm(directory);
  let uploadedAt = Number.NEGATIVE_INFINITY;
  let running = '';

  /** Replaces the video of a topic if its renditions are ready. */
  async function replaceFilm(bytes: Buffer) {
    if (Date.now() < uploadedAt + replaceAfterMs) {
      const processing = await send(`GET /education/topics/${filmTopicId}/video/processing`, { user: mentor });
      if (!isAcknowledged(processing) || !['ready', 'failed'].includes(fieldOf(processing, 'status'))) return;
    }
    const fileName = `${unique('Film')}.mp4`;
    const form = formOf('video', bytes, fileName);
    const write = ['film', filmTopicId, fileName] as const;
    const uploaded = await send(`PUT /admin/education/topics/${filmTopicId}/video`, { user: mentor, form, write });
    if (isAcknowledged(uploaded)) uploadedAt = Date.now();
  }

  async function importArchive() {
    const path = '/admin/education/imports';
    if (running) {
      const job = await send(`GET ${path}/${running}`, { user: admin });
      const hasEnded = ['completed', 'failed', 'cancelled'].includes(fieldOf(job, 'status'));
      if (hasEnded || job.status === 404) running = '';
      return;
    }
    const fileName = `${unique('Import')}.zip`;
    const form = formOf('file', await createArchive(fileName), fileName);
    running = await create(path, { user: admin, form, write: ['import', fileName] });
  }

  return { replaceFilm: film && (() => replaceFilm(film)), importArchive };
}

/** Makes a film of eight seconds. Returns undefined without ffmpeg: then there are no renditions either. */
function makeFilm(directory: string): Promise<Buffer | undefined> {
  const path = join(directory, 'film.mp4');
  const source = '-f lavfi -i testsrc2=size=426x240:rate=15:duration=8 -f lavfi -i sine=duration=8';
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac';
  return promisify(execFile)('ffmpeg', [...`-nostdin -v error ${source} ${codecs}`.split(' '), path]).then(
    () => readFile(path),
    () => undefined,
  );
}

/** An archive whose items have the name of the file as their description. */
function createArchive(description: string): Promise<Buffer> {
  const item = (kind: string) => ({
    externalId: `${description} ${kind}`,
    name: `${description} ${kind}`,
    description,
  });
  const zip = new ZipFile();
  const createImported = (number: number) => {
    const document = { file: `documents/${number}.txt`, name: `${description} ${number}`, description };
    zip.addBuffer(Buffer.from(`${description}, document ${number}`), document.file);
    return { ...item(`topic ${number}`), content: 'Imported', documents: [document] };
  };
  const subject = { ...item('subject'), topics: importedTopics.map(createImported) };
  const levels = [{ ...item('level'), grades: [{ ...item('grade'), level: 'primary', subjects: [subject] }] }];
  zip.addBuffer(Buffer.from(JSON.stringify({ version: 1, levels })), 'curriculum.json');
  zip.end();
  return buffer(zip.outputStream);
}
