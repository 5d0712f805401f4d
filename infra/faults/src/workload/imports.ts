import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { unique } from './course.ts';
import { fieldOf, isAcknowledged, type Journal, type User } from './journal.ts';

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
