import { person } from '@lms/testing/people';
import t from 'tap';
import { dataOf, file, form, startMedia } from './media-service.ts';
import { sample } from './samples.ts';

const put = (...parts: Parameters<typeof form>) => ({ ...form(...parts), method: 'PUT' });
const upload = (id: string) => `/api/admin/education/topics/${id}/video`;
const watch = (id: string) => `/api/education/topics/${id}/video`;

t.test("a video uploaded by the mentor becomes the topic's and plays for the enrolled", async (t) => {
  const media = await startMedia(t);
  const [mentor, learner] = [person(['MENTOR']), person()];
  const topic = media.content.addTopic({ mentorId: mentor.userId, enrolled: new Set([learner.userId]) });
  const bytes = sample('mp4', 500_000);

  const answer = await media.send(mentor, upload(topic.id), put(['video', file(bytes, 'Lesson 1.MP4')]));
  t.equal(answer.status, 200);
  const data = await dataOf(answer);
  t.match(data, {
    topicId: topic.id,
    videoUrl: `https://lms.example${watch(topic.id)}`,
    video: {
      id: String,
      fileName: 'Lesson 1.MP4',
      mimeType: 'video/mp4',
      size: bytes.length,
      checksum: /^sha256:/,
      uploadedAt: String,
    },
  });
  t.same(topic.video, { video: Object(data).video, videoUrl: data.videoUrl });

  const read = await media.send(learner, watch(topic.id));
  t.equal(read.status, 200);
  t.equal(read.headers.get('content-type'), 'video/mp4');
  t.same(Buffer.from(await read.arrayBuffer()), bytes);
  t.equal((await media.send(person(), watch(topic.id))).status, 403);
  for (const id of [topic.id, 'no-id'])
    t.equal((await media.send(null, watch(id))).status, 401, 'who is asking comes before what for');
  t.equal((await media.send(learner, watch('no-id'))).status, 404);
});

t.test('a replacement takes the place of the video before, whose bytes go', async (t) => {
  const media = await startMedia(t);
  const admin = person(['ADMIN']);
  const topic = media.content.addTopic();
  const [first, second] = [sample('mp4', 1_000), sample('webm', 2_000)];
  t.equal((await media.send(admin, upload(topic.id), put(['video', file(first, 'a.mp4')]))).status, 200);
  t.equal((await media.send(admin, upload(topic.id), put(['video', file(second, 'b.webm')]))).status, 200);
  const read = await media.send(admin, watch(topic.id));
  t.equal(read.headers.get('content-type'), 'video/webm');
  t.same(Buffer.from(await read.arrayBuffer()), second);
  await media.settled(1);
  t.same(await media.events(), ['media.video.uploaded', 'media.video.removed', 'media.video.uploaded']);
});

t.test('of several who remove a video at once, one did', async (t) => {
  const media = await startMedia(t);
  const admin = person(['ADMIN']);
  const topic = media.content.addTopic();
  await media.send(admin, upload(topic.id), put(['video', file(sample('mp4', 1_000), 'a.mp4')]));
  const removals = Array.from({ length: 8 }, () => media.send(admin, upload(topic.id), { method: 'DELETE' }));
  const statuses = (await Promise.all(removals)).map(({ status }) => status);
  t.same(statuses.sort(), [200, ...Array(7).fill(404)]);
});

t.test('a video is removed once, by those who may', async (t) => {
  const media = await startMedia(t);
  const mentor = person(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const remove = (who: typeof mentor) => media.send(who, upload(topic.id), { method: 'DELETE' });
  t.equal((await remove(mentor)).status, 404);
  await media.send(mentor, upload(topic.id), put(['video', file(sample('mp4', 1_000), 'a.mp4')]));
  t.equal((await remove(person(['MENTOR']))).status, 403);
  t.equal((await remove(person())).status, 403);
  t.equal((await remove(mentor)).status, 200);
  t.equal(topic.video, null);
  t.equal((await remove(mentor)).status, 404);
  t.equal((await media.send(mentor, watch(topic.id))).status, 404);
  t.same(await media.events(), ['media.video.uploaded', 'media.video.removed']);
  await media.settled(0);
});

t.test('only the five formats are taken, and the bytes must be of the format that the name says', async (t) => {
  const media = await startMedia(t);
  const admin = person(['ADMIN']);
  const topic = media.content.addTopic();
  const send = (name: string, bytes: Buffer) => media.send(admin, upload(topic.id), put(['video', file(bytes, name)]));

  for (const [name, format] of [
    ['a.mp4', 'mp4'],
    ['a.WebM', 'webm'],
    ['a.ogg', 'ogg'],
    ['a.b.mov', 'mov'],
    ['old.mov', 'oldMov'],
    ['large.mov', 'largeMov'],
    ['long.webm', 'longWebm'],
    ['a.avi', 'avi'],
  ] as const)
    t.equal((await send(name, sample(format, 10_000))).status, 200, name);

  const accepted = ['mp4', 'webm', 'ogg', 'mov', 'avi'];
  for (const [name, bytes, extension] of [
    ['a.mkv', sample('mkv', 10_000), 'mkv'],
    ['a.mp4', sample('mkv', 10_000), 'mp4'],
    ['a.webm', sample('mkv', 10_000), 'webm'],
    ['a.mp4', sample('mov', 10_000), 'mp4'],
    ['a.mp4', sample('webm', 10_000), 'mp4'],
    ['a.mp4', sample('m4a', 10_000), 'mp4'],
    ['a.mp4', Buffer.from('not a video at all'), 'mp4'],
    ['a.mp4', Buffer.from('x'), 'mp4'],
    ['a.exe', sample('mp4', 10_000), 'exe'],
    ['constructor', sample('mp4', 10_000), ''],
    ['a.constructor', sample('mp4', 10_000), 'constructor'],
    ['mp4', sample('mp4', 10_000), ''],
  ] as const) {
    const answer = await send(name, bytes);
    t.equal(answer.status, 400, name);
    const body = await answer.json();
    t.match(body, { code: 'UNSUPPORTED_FORMAT', error: /nsupported/, details: { extension, accepted } }, name);
    if (bytes.equals(sample('mkv', 10_000))) t.match(body, { error: /Convert .* to MP4/ });
  }
  t.equal((await send('a.mp4', Buffer.alloc(0))).status, 422);
  await media.settled(1);
});
