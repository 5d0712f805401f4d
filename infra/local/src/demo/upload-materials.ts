import { readFile } from 'node:fs/promises';
import { uploadDocument, uploadVideo } from '@lms/client/upload';
import { assert, expect, expectSoon } from './expect.ts';
import type { Narrator, Person } from './narrator.ts';

export interface Materials {
  documentKey: string;
  document: Buffer;
}

const asset = (name: string) => readFile(new URL(`../../assets/${name}`, import.meta.url));

/** A document and a video; both stand in the topic as soon as their upload is answered. */
export async function uploadMaterials(
  { baseUrl, say }: Narrator,
  { mentor, topicId }: { mentor: Person; topicId: string },
): Promise<Materials> {
  say('The mentor finds the subject to teach.');
  await expectSoon(200, () => mentor.client.GET('/api/mentor/subjects'));

  say('The mentor uploads a document and a video. Both stand in the topic as soon as the upload is answered.');
  const options = { baseUrl, token: mentor.token ?? '', fetch: mentor.fetch };
  const document = await asset('whole-numbers.pdf');
  const file = new File([document], 'handout.pdf', { type: 'application/pdf' });
  const uploaded = await uploadDocument(
    { topicId, file, name: 'Handout', description: 'To print and fill in' },
    options,
  );
  if (!uploaded.body.success) throw new Error(uploaded.body.error);
  const film = new File([await asset('number-line.mp4')], 'lesson.mp4', { type: 'video/mp4' });
  const replaced = await uploadVideo(topicId, film, options);
  assert(replaced.status === 200, 'the video should have been taken');

  const topic = await expect(
    200,
    mentor.client.GET('/api/education/topics/{id}', { params: { path: { id: topicId } } }),
  );
  assert(topic.documents[0]?.id === uploaded.body.data.id, 'the document should stand in the topic');
  assert(topic.hasVideo, 'the video should stand in the topic');
  return { documentKey: uploaded.body.data.key, document };
}
