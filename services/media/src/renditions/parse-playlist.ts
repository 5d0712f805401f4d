import type { Segment } from './table.ts';

export interface ParsedPlaylist {
  initLength: number;
  segments: Segment[];
}

/** Reads the byte ranges from a playlist that ffmpeg wrote with `single_file`: the initialization section, then the segments. */
export function parsePlaylist(text: string): ParsedPlaylist {
  const [, initLength] = /^#EXT-X-MAP:.*BYTERANGE="(\d+)@0"/m.exec(text) ?? [];
  const segments = [...text.matchAll(/^#EXTINF:([\d.]+),.*\n#EXT-X-BYTERANGE:(\d+)@(\d+)$/gm)].map(
    ([, durationSeconds, length, offset]) => ({
      durationSeconds: Number(durationSeconds),
      offset: Number(offset),
      length: Number(length),
    }),
  );
  return { initLength: Number(initLength ?? 0), segments };
}

/** The codecs and the URI of each variant, in the order of a master playlist. */
export const parseCodecs = (master: string): string[] =>
  [...master.matchAll(/^#EXT-X-STREAM-INF:.*CODECS="([^"]+)"/gm)].map(([, codecs = '']) => codecs);

/**
 * The highest bit rate of successive segments, as HLS defines `BANDWIDTH`: those that last between 0.5 and 1.5 target
 * durations together. So a short segment at the end does not count alone.
 */
export function bandwidthOf(segments: Segment[]): number {
  const targetSeconds = Math.round(Math.max(1, ...segments.map(({ durationSeconds }) => durationSeconds)));
  let highest = bitRateOf(segments);
  for (const first of segments.keys())
    for (let end = first + 1; end <= segments.length; end += 1) {
      const successive = segments.slice(first, end);
      const seconds = durationOf(successive);
      if (seconds > 1.5 * targetSeconds) break;
      if (seconds >= 0.5 * targetSeconds) highest = Math.max(highest, bitRateOf(successive));
    }
  return highest;
}

function bitRateOf(segments: Segment[]): number {
  const bytes = segments.reduce((sum, { length }) => sum + length, 0);
  return Math.ceil((bytes * 8) / Math.max(durationOf(segments), 0.001));
}

export const durationOf = (segments: Segment[]): number =>
  Math.round(segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0) * 1_000) / 1_000;
