import type { Rendition, Sprite } from '../renditions/table.ts';

const lines = (...text: string[]) => `${text.join('\n')}\n`;

/** The addresses in playlists are relative: they continue with the token of the playlist. */
export const masterPlaylist = (renditions: Rendition[]) =>
  lines(
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...renditions.flatMap(({ bandwidth, width, height, codecs }) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${width}x${height},CODECS="${codecs}"`,
      `${height}/playlist.m3u8`,
    ]),
  );

export const mediaPlaylist = ({ segments }: Pick<Rendition, 'segments'>) =>
  lines(
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...segments.map(({ durationSeconds }) => Math.round(durationSeconds)))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
    ...segments.flatMap(({ durationSeconds }, index) => [`#EXTINF:${durationSeconds.toFixed(6)},`, `${index}.m4s`]),
    '#EXT-X-ENDLIST',
  );

/** WebVTT whose cues name the tile of the sprite for each moment, as players use it while seeking. */
export function thumbnailTrack(
  { columns, tiles, tileWidth, tileHeight, intervalSeconds }: Sprite,
  durationSeconds: number,
) {
  const cues = Array.from({ length: tiles }, (_, tile) => {
    const isLast = tile === tiles - 1;
    const end = isLast ? Math.max(durationSeconds, tile * intervalSeconds + 0.001) : (tile + 1) * intervalSeconds;
    const [x, y] = [(tile % columns) * tileWidth, Math.floor(tile / columns) * tileHeight];
    return lines(
      `${toTime(tile * intervalSeconds)} --> ${toTime(end)}`,
      `sprite.jpg#xywh=${x},${y},${tileWidth},${tileHeight}`,
    );
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function toTime(seconds: number): string {
  const [whole, two] = [Math.floor(seconds), (value: number) => String(Math.floor(value)).padStart(2, '0')];
  const fraction = String(Math.floor((seconds - whole) * 1_000)).padStart(3, '0');
  return `${two(whole / 3_600)}:${two((whole / 60) % 60)}:${two(whole % 60)}.${fraction}`;
}
