import type { CaptionTrack } from '@lms/contracts/internal/content';
import { LRUCache } from 'lru-cache';
import type { StoredObject } from '../objects/table.ts';
import type { Rendition, Sprite, VideoProcessing } from '../renditions/table.ts';
import { FileNotFound } from './errors.ts';

export interface StreamSources {
  findProcessing: (videoId: string) => Promise<VideoProcessing | undefined>;
  listRenditions: (videoId: string) => Promise<Rendition[]>;
  listObjects: (ids: string[]) => Promise<StoredObject[]>;
  listCaptions: (videoId: string) => Promise<CaptionTrack[]>;
  /** @throws 404 */
  getCaptions: (videoId: string, language: string) => Promise<{ headers: Record<string, string>; content: string }>;
}

export interface VideoStreams {
  durationSeconds: number | null;
  /** In the order of their heights; empty until the video is processed. */
  renditions: { rendition: Rendition; object: StoredObject }[];
  poster: StoredObject | undefined;
  sprite: { object: StoredObject; tiles: Sprite } | undefined;
}

const cachedMs = 5_000;
const maxCached = 500;

/** Reads what can be streamed of a video besides its original file. Long films have thousands of segments, so it is cached. */
export function createStreams({ findProcessing, listRenditions, listObjects, ...captions }: StreamSources) {
  const cached = new LRUCache<string, VideoStreams>({ max: maxCached, ttl: cachedMs });

  async function read(videoId: string): Promise<VideoStreams> {
    const processing = await findProcessing(videoId);
    const isReady = processing?.status === 'ready';
    const renditions = isReady ? await listRenditions(videoId) : [];
    const { posterId, spriteId, sprite, durationSeconds = null } = processing ?? {};
    const ids = [posterId, spriteId, ...renditions.map(({ objectId }) => objectId)].flatMap((id) => id ?? []);
    const objects = new Map((await listObjects(ids)).map((object) => [object.id, object]));
    const spriteObject = spriteId ? objects.get(spriteId) : undefined;
    return {
      durationSeconds,
      renditions: renditions.flatMap((rendition) => {
        const object = objects.get(rendition.objectId);
        return object ? { rendition, object } : [];
      }),
      poster: posterId ? objects.get(posterId) : undefined,
      sprite: sprite && spriteObject ? { object: spriteObject, tiles: sprite } : undefined,
    };
  }

  async function find(videoId: string): Promise<VideoStreams> {
    const known = cached.get(videoId);
    if (known) return known;
    const streams = await read(videoId);
    if (streams.renditions.length > 0) cached.set(videoId, streams);
    return streams;
  }

  return {
    ...captions,
    find,
    /** @param height the height of the rendition @throws 404 */
    async getRendition(videoId: string, height: string) {
      const { renditions } = await find(videoId);
      const found = renditions.find(({ rendition }) => String(rendition.height) === height);
      if (!found) throw new FileNotFound();
      return found;
    },
    /** For an object that storage does not have: the video may have been processed again. */
    forget: (videoId: string) => cached.delete(videoId),
  };
}
export type Streams = ReturnType<typeof createStreams>;
