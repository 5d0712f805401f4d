import type { CaptionTrack } from '@lms/contracts/internal/content';
import type { Rendition, Sprite } from '../renditions/table.ts';

const lines = (...text: string[]) => `${text.join('\n')}\n`;

const subtitleGroup = 'subtitles';
const captionCharacteristics =
  'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound';

/** The addresses in playlists are relative: they continue with the token of the playlist. */
export function masterPlaylist(renditions: Rendition[], tracks: CaptionTrack[]) {
  // HLS knows neither descriptions as text nor chapters as WebVTT.
  const shown = tracks.filter(({ kind }) => kind === 'captions' || kind === 'subtitles');
  const subtitles = shown.length > 0 ? `,SUBTITLES="${subtitleGroup}"` : '';
  return lines(
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...shown.map((track) => subtitleTrack(track, shown)),
    ...renditions.flatMap((rendition) => [`${streamTag(rendition)}${subtitles}`, `${rendition.height}/playlist.m3u8`]),
  );
}

function streamTag({ bandwidth, segments, width, height, codecs, frameRate }: Rendition): string {
  const sumOf = (field: 'length' | 'durationSeconds') => segments.reduce((sum, segment) => sum + segment[field], 0);
  const average = Math.ceil((sumOf('length') * 8) / sumOf('durationSeconds'));
  return [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${average},RESOLUTION=${width}x${height}`,
    ...(frameRate === null ? [] : [`FRAME-RATE=${frameRate.toFixed(3)}`]),
    `CODECS="${codecs}"`,
  ].join(',');
}

function subtitleTrack(track: CaptionTrack, all: CaptionTrack[]): string {
  const { language, label, kind, default: isDefault } = track;
  // A quoted string has no quotation marks and no line breaks; names are unique within their group.
  const others = all.filter((other) => other !== track).map((other) => quotable(other.label));
  let name = quotable(label);
  while (others.includes(name)) name += ` (${language})`;
  return [
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${subtitleGroup}",NAME="${name}",LANGUAGE="${language}"`,
    `DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES,FORCED=NO`,
    ...(kind === 'captions' ? [`CHARACTERISTICS="${captionCharacteristics}"`] : []),
    `URI="captions/${language}/playlist.m3u8"`,
  ].join(',');
}

const quotable = (text: string) => text.replaceAll('"', "'").replaceAll(/\s+/g, ' ');

/** A playlist of one segment: the whole track. */
export const subtitlePlaylist = (language: string, durationSeconds: number) =>
  lines(
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(durationSeconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${durationSeconds.toFixed(6)},`,
    `../${language}.vtt`,
    '#EXT-X-ENDLIST',
  );

/** Captions as a segment: their times are those of the renditions, which begin at 0. A `<track>` element ignores the line. */
export const withTimestampMap = (webVtt: string) =>
  webVtt.replace(/^WEBVTT\n/, 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n');

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
