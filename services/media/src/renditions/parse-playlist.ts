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

/** The bit rate of the largest segment, as HLS defines `BANDWIDTH`. */
export const bandwidthOf = (segments: Segment[]): number =>
  Math.ceil(Math.max(...segments.map(({ length, durationSeconds }) => (length * 8) / Math.max(durationSeconds, 0.1))));

export const durationOf = (segments: Segment[]): number =>
  Math.round(segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0) * 1_000) / 1_000;
