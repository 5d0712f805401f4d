import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import type { Planted } from './plant-school.ts';
import { type Caller, RequestFailed } from './service-client.ts';

const Topic = Type.Object({ hasVideo: Type.Optional(Type.Boolean()), documentCount: Type.Optional(Type.Integer()) });

interface Uploads {
  ask: Caller;
  content: string;
  media: string;
  report(line: string): void;
}

/** One handout and one video for the first topic. What the storage or a limit refuses is said and left out: a school can do without. */
export async function uploadFiles({ topicId }: Planted, { ask, content, media, report }: Uploads): Promise<void> {
  const topic = await ask({
    service: content,
    method: 'GET',
    path: `/api/admin/education/topics/${topicId}`,
    data: Topic,
  });
  if (!topic.documentCount) {
    const body = new FormData();
    body.set('topicId', topicId);
    body.set('metadata', JSON.stringify({ name: 'Whole numbers', description: 'A first handout' }));
    body.set('file', await readAsset('whole-numbers.pdf', 'application/pdf'));
    await attempt(report, 'document', () =>
      ask({ service: media, method: 'POST', path: '/api/s3/document/upload', body, data: Type.Unknown() }),
    );
  }
  if (!topic.hasVideo) {
    const body = new FormData();
    body.set('video', await readAsset('number-line.mp4', 'video/mp4'));
    const path = `/api/admin/education/topics/${topicId}/video`;
    await attempt(report, 'video', () => ask({ service: media, method: 'PUT', path, body, data: Type.Unknown() }));
  }
}

async function readAsset(name: string, type: string): Promise<File> {
  return new File([await readFile(new URL(`../../assets/${name}`, import.meta.url))], name, { type });
}

async function attempt(report: Uploads['report'], what: string, upload: () => Promise<unknown>): Promise<void> {
  try {
    await upload();
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    report(`seed               without a ${what}: ${error.message}`);
  }
}
