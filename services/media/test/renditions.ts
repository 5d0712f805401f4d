import { Readable } from 'node:stream';
import { createId } from '@lms/database/columns';
import { createFileStorage } from '../src/storage/file.ts';
import { sample } from './samples.ts';
import type { Topic } from './start-content.ts';
import type { Media } from './start-media.ts';

/** Stores two renditions, a poster and preview images for the video of a topic, as the worker does. */
export async function addRenditions({ database: { sql }, root }: Media, topic: Topic) {
  const videoId = topic.video?.video.id ?? '';
  const [film, image] = [sample('mp4', 4_000), Buffer.from('\xff\xd8\xff an image', 'latin1')];
  const storage = createFileStorage(root);
  async function store(kind: string, bytes: Buffer, mimeType: string) {
    const [id, key] = [createId(), `${kind}-${createId()}`];
    await storage.put(key, Readable.from([bytes]));
    await sql`
      insert into objects (id, kind, status, topic_id, derived_from, key, file_name, mime_type, size, checksum, uploaded_by)
      values (${id}, ${kind}, 'ready', ${topic.id}, ${videoId}, ${key}, ${kind}, ${mimeType}, ${bytes.length},
        ${`sha256:${id}`}, 'worker')`;
    return id;
  }
  const segments = [
    { durationSeconds: 6, offset: 100, length: 1_000 },
    { durationSeconds: 6, offset: 1_100, length: 2_000 },
    { durationSeconds: 2.48, offset: 3_100, length: 900 },
  ];
  // The first one is of a time when the frame rate was not recorded.
  for (const [height, width, bandwidth, frameRate] of [
    [240, 426, 400_000, null],
    [360, 640, 900_000, 30_000 / 1_001],
  ] as const)
    await sql`
      insert into renditions (video_id, height, width, bandwidth, codecs, frame_rate, object_id, init_length, segments)
      values (${videoId}, ${height}, ${width}, ${bandwidth}, 'avc1.42c01e,mp4a.40.2', ${frameRate},
        ${await store('rendition', film, 'video/mp4')}, 100, ${JSON.stringify(segments)}::text::jsonb)`;
  const sprite = { columns: 2, tiles: 3, tileWidth: 160, tileHeight: 90, intervalSeconds: 5 };
  await sql`
    insert into video_processing (video_id, status, percent, duration_seconds, width, height, has_audio, poster_id, sprite_id, sprite)
    values (${videoId}, 'ready', 100, 14.48, 640, 360, true, ${await store('poster', image, 'image/jpeg')},
      ${await store('sprite', image, 'image/jpeg')}, ${JSON.stringify(sprite)}::text::jsonb)
    on conflict (video_id) do update set status = excluded.status, percent = 100,
      duration_seconds = excluded.duration_seconds, poster_id = excluded.poster_id, sprite_id = excluded.sprite_id,
      sprite = excluded.sprite`;
  return { film, image };
}
