import { readFile } from 'node:fs/promises';
import { assert, expect, expectSoon } from './expect.ts';
import type { Narrator, Person } from './narrator.ts';

export interface Materials {
  documentKey: string;
  document: Buffer;
}

const asset = (name: string) => readFile(new URL(`../../assets/${name}`, import.meta.url));

/** A document and a video; both stand in the topic as soon as their upload is answered. */
export async function uploadMaterials(
  { say }: Narrator,
  { mentor, topicId }: { mentor: Person; topicId: string },
): Promise<Materials> {
  say('The mentor finds the subject to teach.');
  await expectSoon(200, () => mentor.client.GET('/api/mentor/subjects'));

  say('The mentor uploads a document and a video. Both stand in the topic as soon as the upload is answered.');
  const document = await asset('whole-numbers.pdf');
  const file = new File([document], 'handout.pdf', { type: 'application/pdf' });
  const handout = { topicId, file, name: 'Handout', description: 'To print and fill in' };
  const uploaded = await expect(201, mentor.client.uploadDocument(handout));
  const film = new File([await asset('number-line.mp4')], 'lesson.mp4', { type: 'video/mp4' });
  await expect(200, mentor.client.uploadVideo({ topicId, file: film }));

  const topic = await expect(
    200,
    mentor.client.GET('/api/education/topics/{id}', { params: { path: { id: topicId } } }),
  );
  assert(topic.documents[0]?.id === uploaded.id, 'the document should stand in the topic');
  assert(topic.hasVideo, 'the video should stand in the topic');
  return { documentKey: uploaded.key, document };
}
