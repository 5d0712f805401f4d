import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Makes a film of eight seconds. Returns undefined without ffmpeg: then there are no renditions either. */
export function makeFilm(directory: string): Buffer | undefined {
  const path = join(directory, 'film.mp4');
  const source = '-f lavfi -i testsrc2=size=426x240:rate=15:duration=8 -f lavfi -i sine=duration=8';
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac';
  const { status } = spawnSync('ffmpeg', [...`-nostdin -v error ${source} ${codecs}`.split(' '), path]);
  return status === 0 ? readFileSync(path) : undefined;
}

/** An archive with three topics, each with a document. The description of all items is the name of the file. */
export function createArchive(description: string): Promise<Buffer> {
  const zip = new ZipFile();
  const item = (kind: string) => ({
    externalId: `${description} ${kind}`,
    name: `${description} ${kind}`,
    description,
  });
  const topics = ['topic 1', 'topic 2', 'topic 3'].map((kind) => {
    const file = `documents/${kind}.txt`;
    zip.addBuffer(Buffer.from(`${description}, ${kind}`), file);
    return { ...item(kind), content: 'Imported', documents: [{ file, name: `${description} ${kind}`, description }] };
  });
  const grades = [{ ...item('grade'), level: 'primary', subjects: [{ ...item('subject'), topics }] }];
  const curriculum = { version: 1, levels: [{ ...item('level'), grades }] };
  zip.addBuffer(Buffer.from(JSON.stringify(curriculum)), 'curriculum.json');
  zip.end();
  return buffer(zip.outputStream);
}
