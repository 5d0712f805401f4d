import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfinedTools, ToolFailed, ToolTimeout } from './confined-tools.ts';
import { ladderOf, type Rung } from './ladder.ts';
import { bandwidthOf, durationOf, parseCodecs, parsePlaylist } from './parse-playlist.ts';
import { checkDuration, inputOptions, type Probe, type VideoFile } from './probe-video.ts';
import type { Rendition, Sprite } from './table.ts';
import { UnsuitableVideo } from './unsuitable-video.ts';

export interface EncoderOptions {
  preset: string;
  /** 0: as many as there are processors. */
  threads: number;
}

export interface Transcoded {
  durationSeconds: number;
  renditions: (Omit<Rendition, 'videoId' | 'objectId'> & { file: string })[];
  poster: string | undefined;
  sprite: (Sprite & { file: string }) | undefined;
}

const segmentSeconds = 6;
const audioBitrate = 128_000;
const poster = 'poster.jpg';
const spriteFile = 'sprite.jpg';
const [maxTiles, maxColumns, tileHeight, maxTileWidth] = [100, 10, 90, 320];
const maxPosterHeight = 720;

/** Makes the renditions, the poster and the sprite of a video in one run of ffmpeg, which decodes it once. @throws UnsuitableVideo */
export async function transcodeVideo(
  tools: ConfinedTools,
  file: VideoFile,
  probe: Probe,
  encoder: EncoderOptions,
  onProgress: (ratio: number) => void,
): Promise<Transcoded> {
  const { directory, signal } = file;
  const rungs = ladderOf(probe);
  const sprite = planSprite(probe, file.limits.maxDurationSeconds);
  const onLine = (line: string) => {
    const [, seconds] = /^frame:.*pts_time:([\d.]+)/.exec(line) ?? [];
    if (seconds !== undefined && probe.durationSeconds)
      onProgress(Math.min(1, Number(seconds) / probe.durationSeconds));
  };
  const { log } = await tools
    .run('ffmpeg', ffmpegArguments(file, probe, rungs, sprite, encoder), { directory, signal, onLine })
    .catch(failed);

  const codecs = parseCodecs(await readFile(join(directory, 'master.m3u8'), 'utf8').catch(() => ''));
  const renditions = await Promise.all(
    rungs.map(async ({ width, height }, index) => {
      const playlist = parsePlaylist(await readFile(join(directory, `${index}.m3u8`), 'utf8').catch(() => ''));
      if (playlist.segments.length === 0) throw new UnsuitableVideo(describeNothing(log));
      const bandwidth = bandwidthOf(playlist.segments);
      const { framesPerSecond: frameRate } = probe;
      return { width, height, bandwidth, frameRate, codecs: codecs[index] ?? '', ...playlist, file: `${index}.m4s` };
    }),
  );
  const durationSeconds = Math.max(...renditions.map(({ segments }) => durationOf(segments)));
  checkDuration(durationSeconds, file.limits);
  checkComplete(durationSeconds, probe);
  const tiles = Math.min(sprite.tiles, Math.max(1, Math.ceil(durationSeconds / sprite.intervalSeconds)));
  return {
    durationSeconds,
    renditions,
    poster: (await exists(join(directory, poster))) ? poster : undefined,
    sprite: (await exists(join(directory, spriteFile))) ? { ...sprite, tiles, file: spriteFile } : undefined,
  };
}

function planSprite({ width, height, durationSeconds }: Probe, maxDurationSeconds: number): Sprite {
  const intervalSeconds = Math.ceil((durationSeconds ?? maxDurationSeconds) / maxTiles);
  const tiles = Math.min(maxTiles, Math.ceil((durationSeconds ?? maxDurationSeconds) / intervalSeconds));
  const tileWidth = Math.min(maxTileWidth, Math.max(2, Math.round((tileHeight * width) / height / 2) * 2));
  return { columns: Math.min(maxColumns, tiles), tiles, tileWidth, tileHeight, intervalSeconds };
}

function ffmpegArguments(file: VideoFile, probe: Probe, rungs: Rung[], sprite: Sprite, encoder: EncoderOptions) {
  const { videoIndex, audioIndex, durationSeconds = 0 } = probe;
  const hasAudio = audioIndex !== undefined;
  const posterHeight = Math.min(maxPosterHeight, probe.height);
  const posterWidth = Math.round((probe.width * posterHeight) / probe.height);
  const posterSeconds = durationSeconds < 2 ? 0 : Math.min(10, durationSeconds / 10);
  const rows = Math.ceil(sprite.tiles / sprite.columns);
  // Players need a picture until the audio ends.
  const still = probe.stillSeconds > 0 ? `tpad=stop_mode=clone:stop_duration=${probe.stillSeconds.toFixed(3)},` : '';
  const pictures = [
    `[0:${videoIndex}]fps=${probe.framesPerSecond},${still}split=${rungs.length + 2}${rungs.map((_, n) => `[s${n}]`).join('')}[p][t]`,
    ...rungs.map(({ width, height }, n) => `[s${n}]scale=${width}:${height},setsar=1,format=yuv420p[v${n}]`),
    `[p]select='gte(t,${posterSeconds})',scale=${Math.max(1, posterWidth)}:${posterHeight},setsar=1[poster]`,
    // A tile for each interval that begins, as they are counted; rounded to the nearest, the last half would have none.
    // Each tile is reported when it is decoded: `-progress` reports nothing before the sprite, which is complete last.
    `[t]fps=1/${sprite.intervalSeconds}:round=up,metadata=add:key=tile:value=1,metadata=print:file=-:direct=1,scale=${sprite.tileWidth}:${sprite.tileHeight},setsar=1,tile=${sprite.columns}x${rows}[sprite]`,
  ];
  // Audio that begins after the first segment would be played from 0.
  const sound = `[0:${audioIndex}]aresample=48000:async=1:first_pts=0,asplit=${rungs.length}${rungs.map((_, n) => `[a${n}]`).join('')}`;
  const perRung = rungs.flatMap(({ maxBitrate }, n) => [
    '-map',
    `[v${n}]`,
    `-maxrate:v:${n}`,
    String(maxBitrate),
    `-bufsize:v:${n}`,
    String(2 * maxBitrate),
    ...(hasAudio ? ['-map', `[a${n}]`] : []),
  ]);
  const image = (label: string, name: string) => [
    '-map',
    label,
    '-frames:v',
    '1',
    '-q:v',
    '4',
    '-update',
    '1',
    '-y',
    name,
  ];
  const threads = encoder.threads > 0 ? ['-threads', String(encoder.threads)] : [];
  return [
    ...['-hide_banner', '-nostdin', '-v', 'warning', '-nostats'],
    ...(encoder.threads > 0 ? ['-filter_complex_threads', String(encoder.threads)] : []),
    ...threads,
    ...inputOptions(file),
    ...['-t', String(file.limits.maxDurationSeconds + 1), '-i', file.name],
    // One graph for both would hold all decoded frames until the audio begins.
    ...['-filter_complex', pictures.join(';'), ...(hasAudio ? ['-filter_complex', sound] : [])],
    ...perRung,
    ...['-c:v', 'libx264', '-preset', encoder.preset, '-crf', '23', '-profile:v', 'high', ...threads],
    ...['-force_key_frames', `expr:gte(t,n_forced*${segmentSeconds})`, '-sc_threshold', '0', '-g', '100000'],
    ...(hasAudio ? ['-c:a', 'aac', '-b:a', String(audioBitrate), '-ac', '2'] : []),
    // While they wait for audio that begins late, encoded frames are held instead.
    ...['-max_muxing_queue_size', '10000000'],
    ...['-map_metadata', '-1', '-map_chapters', '-1'],
    ...['-f', 'hls', '-hls_time', String(segmentSeconds), '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    ...['-hls_flags', 'single_file', '-hls_segment_filename', '%v.m4s', '-master_pl_name', 'master.m3u8'],
    // Frames that are decoded before they are shown get times before 0, so that the first picture is at 0 like the captions.
    ...['-avoid_negative_ts', 'disabled'],
    ...['-var_stream_map', rungs.map((_, n) => (hasAudio ? `v:${n},a:${n}` : `v:${n}`)).join(' '), '-y', '%v.m3u8'],
    ...image('[poster]', poster),
    ...image('[sprite]', spriteFile),
  ];
}

function failed(error: unknown): never {
  if (error instanceof ToolTimeout) throw new UnsuitableVideo('Processing the video takes longer than is permitted');
  if (!(error instanceof ToolFailed)) throw error;
  const { signal, log } = error;
  // Another process, such as the system when memory runs out, may end ffmpeg at any time.
  if (signal === 'SIGKILL' || signal === 'SIGTERM' || /No space left on device/.test(log)) throw error;
  if (signal === 'SIGXFSZ' || /File too large/.test(log)) throw new UnsuitableVideo('The renditions become too large');
  if (signal === 'SIGXCPU') throw new UnsuitableVideo('Processing the video takes longer than is permitted');
  if (/Cannot allocate memory/.test(log)) throw new UnsuitableVideo('Processing the video needs too much memory');
  throw new UnsuitableVideo(describeNothing(log));
}

const describeNothing = (log: string) =>
  /Picture size|max_pixels/.test(log)
    ? 'The video has more pixels than are accepted'
    : 'The video cannot be decoded: it is damaged, or its codec is not supported';

// A file that ends early is decoded as far as it goes. Players and editors disagree on durations by some frames.
function checkComplete(producedSeconds: number, { durationSeconds, stillSeconds }: Probe) {
  if (durationSeconds === undefined) return;
  const [actualSeconds, expectedSeconds] = [producedSeconds - stillSeconds, durationSeconds - stillSeconds];
  if (actualSeconds >= expectedSeconds * 0.9 - 0.5) return;
  throw new UnsuitableVideo(
    `The file is truncated or damaged: it ends after ${actualSeconds.toFixed(1)} of ${expectedSeconds.toFixed(1)} seconds`,
  );
}

const exists = (path: string) =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
