import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { sample } from './samples.ts';
import { dataOf, file, form, shareMedia } from './start-media.ts';

const put = (...parts: Parameters<typeof form>) => ({ ...form(...parts), method: 'PUT' });
const upload = (id: string) => `/api/admin/education/topics/${id}/video`;
const watch = (id: string) => `/api/education/topics/${id}/video`;
const nextMedia = await shareMedia(t);

t.test('a video uploaded by the mentor is attached to the topic and readable by enrolled learners', async (t) => {
  const media = await nextMedia();
  const [mentor, learner] = [testPrincipal(['MENTOR']), testPrincipal()];
  const topic = media.content.addTopic({ mentorId: mentor.userId, enrolled: new Set([learner.userId]) });
  const bytes = sample('mp4', 500_000);

  const response = await media.send(mentor, upload(topic.id), put(['video', file(bytes, 'Lesson 1.MP4')]));
  t.equal(response.status, 200);
  const data = await dataOf(response);
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
  t.equal((await media.send(testPrincipal(), watch(topic.id))).status, 403);
  for (const id of [topic.id, 'no-id'])
    t.equal((await media.send(null, watch(id))).status, 401, 'authentication is checked first');
  t.equal((await media.send(learner, watch('no-id'))).status, 404);
});

t.test('a replacement deletes the previous video', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const [first, second] = [sample('mp4', 1_000), sample('webm', 2_000)];
  t.equal((await media.send(admin, upload(topic.id), put(['video', file(first, 'a.mp4')]))).status, 200);
  t.equal((await media.send(admin, upload(topic.id), put(['video', file(second, 'b.webm')]))).status, 200);
  const read = await media.send(admin, watch(topic.id));
  t.equal(read.headers.get('content-type'), 'video/webm');
  t.same(Buffer.from(await read.arrayBuffer()), second);
  await media.waitForObjects(1);
  t.same(await media.events(), ['media.video.uploaded', 'media.video.removed', 'media.video.uploaded']);
});

t.test('only one of several concurrent removals succeeds', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  await media.send(admin, upload(topic.id), put(['video', file(sample('mp4', 1_000), 'a.mp4')]));
  const removals = Array.from({ length: 8 }, () => media.send(admin, upload(topic.id), { method: 'DELETE' }));
  const statuses = (await Promise.all(removals)).map(({ status }) => status);
  t.same(statuses.sort(), [200, ...Array(7).fill(404)]);
});

t.test("only admins and the subject's mentor can remove a video, once", async (t) => {
  const media = await nextMedia();
  const mentor = testPrincipal(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const remove = (user: typeof mentor) => media.send(user, upload(topic.id), { method: 'DELETE' });
  t.equal((await remove(mentor)).status, 404);
  await media.send(mentor, upload(topic.id), put(['video', file(sample('mp4', 1_000), 'a.mp4')]));
  t.equal((await remove(testPrincipal(['MENTOR']))).status, 403);
  t.equal((await remove(testPrincipal())).status, 403);
  t.equal((await remove(mentor)).status, 200);
  t.equal(topic.video, null);
  t.equal((await remove(mentor)).status, 404);
  t.equal((await media.send(mentor, watch(topic.id))).status, 404);
  t.same(await media.events(), ['media.video.uploaded', 'media.video.removed']);
  await media.waitForObjects(0);
});

t.test('the case-insensitive extension determines the format; bytes of no known format are accepted', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  for (const [name, bytes, mimeType] of [
    ['a.mp4', sample('mp4', 10_000), 'video/mp4'],
    ['a.WebM', sample('webm', 10_000), 'video/webm'],
    ['a.ogg', sample('ogg', 10_000), 'video/ogg'],
    ['a.b.mov', sample('mov', 10_000), 'video/quicktime'],
    ['old.mov', sample('oldMov', 10_000), 'video/quicktime'],
    ['large.mov', sample('largeMov', 10_000), 'video/quicktime'],
    ['long.webm', sample('longWebm', 10_000), 'video/webm'],
    ['a.avi', sample('avi', 10_000), 'video/x-msvideo'],
    ['lesson.mp4', Buffer.alloc(2_048), 'video/mp4'],
    ['LESSON.MOV', Buffer.from(Array.from({ length: 2_048 }, (_, at) => (at * 37 + 129) % 256)), 'video/quicktime'],
    ['lesson.avi', Buffer.from('not a video at all'), 'video/x-msvideo'],
    ['lesson.ogg', Buffer.from('x'), 'video/ogg'],
  ] as const) {
    const response = await media.send(admin, upload(topic.id), put(['video', file(bytes, name)]));
    t.equal(response.status, 200, name);
    t.match(await response.json(), { data: { video: { fileName: name, mimeType, size: bytes.length } } }, name);
    const read = await media.send(admin, watch(topic.id));
    t.equal(read.headers.get('content-type'), mimeType, name);
    t.same(Buffer.from(await read.arrayBuffer()), bytes, name);
  }
  await media.waitForObjects(1);
});

t.test('an unsupported extension, or bytes recognizably of another format, return 400', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const accepted = ['mp4', 'webm', 'ogg', 'mov', 'avi'];
  const startingWith = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(1_000)]);
  const transportStream = Buffer.alloc(188 * 4);
  for (let at = 0; at < transportStream.length; at += 188) transportStream[at] = 0x47;
  for (const [name, bytes, extension] of [
    ['a.mkv', sample('mkv', 10_000), 'mkv'],
    ['a.mp4', sample('mkv', 10_000), 'mp4'],
    ['a.webm', sample('mkv', 10_000), 'webm'],
    ['a.mp4', sample('mov', 10_000), 'mp4'],
    ['a.mp4', sample('webm', 10_000), 'mp4'],
    ['a.mp4', sample('ogg', 10_000), 'mp4'],
    ['a.mp4', sample('avi', 10_000), 'mp4'],
    ['a.mov', sample('mp4', 10_000), 'mov'],
    ['a.mp4', sample('m4a', 10_000), 'mp4'],
    ['pdf.mp4', startingWith('%PDF-1.4\n'), 'mp4'],
    ['zip.mp4', startingWith('PK\x03\x04'), 'mp4'],
    ['png.mp4', startingWith('\x89PNG\r\n\x1a\n'), 'mp4'],
    ['jpeg.webm', startingWith('\xff\xd8\xff'), 'webm'],
    ['icon.mp4', startingWith('\0\0\x01\0\x01\0'), 'mp4'],
    ['photoshop.mp4', startingWith('8BPS\0\x01'), 'mp4'],
    ['xz.mp4', startingWith('\xfd7zXZ\0'), 'mp4'],
    ['bzip2.mp4', startingWith('BZh91AY&SY'), 'mp4'],
    ['html.mp4', Buffer.from('<!DOCTYPE html><title>x</title>'), 'mp4'],
    ['latin1.mp4', Buffer.from('<html><title>é</title>', 'latin1'), 'mp4'],
    ['svg.mp4', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'mp4'],
    ['elf.mp4', startingWith('\x7fELF'), 'mp4'],
    ['windows.mp4', startingWith('MZ\x90'), 'mp4'],
    ['mac.mp4', startingWith('\xcf\xfa\xed\xfe'), 'mp4'],
    ['mac32.mp4', startingWith('\xce\xfa\xed\xfe'), 'mp4'],
    ['script.mp4', Buffer.from('#!/bin/sh\necho x\n'), 'mp4'],
    ['wasm.mp4', startingWith('\0asm'), 'mp4'],
    ['flash.mp4', startingWith('FLV\x01'), 'mp4'],
    ['camera.mp4', transportStream, 'mp4'],
    ['a.exe', sample('mp4', 10_000), 'exe'],
    ['constructor', sample('mp4', 10_000), ''],
    ['a.constructor', sample('mp4', 10_000), 'constructor'],
    ['mp4', sample('mp4', 10_000), ''],
  ] as const) {
    const response = await media.send(admin, upload(topic.id), put(['video', file(bytes, name)]));
    t.equal(response.status, 400, name);
    const body = await response.json();
    t.match(body, { code: 'UNSUPPORTED_FORMAT', error: /nsupported/, details: { extension, accepted } }, name);
    if (bytes.equals(sample('mkv', 10_000))) t.match(body, { error: /Convert .* to MP4/ });
  }
  t.equal((await media.send(admin, upload(topic.id), put(['video', file('', 'a.mp4')]))).status, 422);
  await media.waitForObjects(0);
});
