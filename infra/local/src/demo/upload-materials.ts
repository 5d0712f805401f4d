import { readFile } from 'node:fs/promises';
import type { DemoSession, DemoUser } from './demo-session.ts';
import { assert, expect, expectEventually } from './expect.ts';

export interface Materials {
  documentKey: string;
  document: Buffer;
}

const asset = (name: string) => readFile(new URL(`../../assets/${name}`, import.meta.url));

/** Uploads a document and a video, which are in the topic as soon as the upload has a response. */
export async function uploadMaterials(
  { printStep }: DemoSession,
  { mentor, topicId }: { mentor: DemoUser; topicId: string },
): Promise<Materials> {
  printStep('The mentor lists their subjects.');
  await expectEventually(200, () => mentor.client.GET('/api/mentor/subjects'));

  printStep('The mentor uploads a document and a video. The topic contains both as soon as the upload has a response.');
  const document = await asset('whole-numbers.pdf');
  const file = new File([document], 'handout.pdf', { type: 'application/pdf' });
  const handout = { topicId, file, name: 'Handout', description: 'To print and fill in' };
  const uploaded = await expect(201, mentor.client.uploadDocument(handout));
  const video = new File([await asset('number-line.mp4')], 'lesson.mp4', { type: 'video/mp4' });
  await expect(200, mentor.client.uploadVideo({ topicId, file: video }));

  const topic = await expect(
    200,
    mentor.client.GET('/api/education/topics/{id}', { params: { path: { id: topicId } } }),
  );
  assert(topic.documents[0]?.id === uploaded.id, 'the topic should contain the document');
  assert(topic.hasVideo, 'the topic should contain the video');
  return { documentKey: uploaded.key, document };
}
