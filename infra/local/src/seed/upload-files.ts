import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import type { CreatedTopic } from './import-school.ts';
import { RequestFailed, type ServiceClient } from './service-client.ts';

const Topic = Type.Object({ hasVideo: Type.Optional(Type.Boolean()), documentCount: Type.Optional(Type.Integer()) });

interface Uploads {
  client: ServiceClient;
  content: string;
  media: string;
  report(line: string): void;
}

/** Uploads a document and a video with captions for the first topic. A rejected upload is only reported: the sample content is usable without. */
export async function uploadFiles(
  { topicId }: CreatedTopic,
  { client, content, media, report }: Uploads,
): Promise<void> {
  const topic = await client({
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
      client({ service: media, method: 'POST', path: '/api/s3/document/upload', body, data: Type.Unknown() }),
    );
  }
  if (!topic.hasVideo) {
    const body = new FormData();
    body.set('video', await readAsset('number-line.mp4', 'video/mp4'));
    const path = `/api/admin/education/topics/${topicId}/video`;
    await attempt(report, 'video', () => client({ service: media, method: 'PUT', path, body, data: Type.Unknown() }));
    const captions = new FormData();
    captions.set('captions', await readAsset('number-line.vtt', 'text/vtt'));
    captions.set('default', 'true');
    const request = { service: media, method: 'PUT', path: `${path}/captions/en`, body: captions } as const;
    await attempt(report, 'captions', () => client({ ...request, data: Type.Unknown() }));
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
    report(`seed               ${what} not uploaded: ${error.message}`);
  }
}
