import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type ConfinedTools, ToolFailed, ToolTimeout } from './confined-tools.ts';
import { UnsuitableVideo } from './unsuitable-video.ts';

export interface VideoLimits {
  maxDurationSeconds: number;
  maxPixels: number;
}

export interface VideoFile {
  directory: string;
  /** The name of the file in the directory. */
  name: string;
  /** The media type with which it was stored. */
  mimeType: string;
  limits: VideoLimits;
  signal: AbortSignal;
}

export interface Probe {
  /** As displayed: rotated, and with square pixels. */
  width: number;
  height: number;
  /** Of the video and the audio that are used, including `stillSeconds`. Unknown for some damaged files. */
  durationSeconds: number | undefined;
  /** How long the audio continues after the last picture. */
  stillSeconds: number;
  framesPerSecond: number;
  videoIndex: number;
  /** Undefined without audio. */
  audioIndex: number | undefined;
}

const maxStreams = 32;
const maxProbeMs = 120_000;
const [minFrameRate, usualFrameRate, maxFrameRate] = [5, 30, 60];
// With the format given, a file cannot pretend to be a playlist, which would make ffmpeg open other files.
const formats: Record<string, string> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/ogg': 'ogg',
  'video/x-msvideo': 'avi',
};
const playlists = /^\s*(#EXTM3U|ffconcat|\[playlist\]|<\?xml|<MPD|<smil)/i;

const Stream = Type.Object({
  index: Type.Integer(),
  codec_type: Type.Optional(Type.String()),
  codec_name: Type.Optional(Type.String()),
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  sample_aspect_ratio: Type.Optional(Type.String()),
  avg_frame_rate: Type.Optional(Type.String()),
  r_frame_rate: Type.Optional(Type.String()),
  start_time: Type.Optional(Type.String()),
  duration: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Object({ DURATION: Type.Optional(Type.String()) })),
  disposition: Type.Optional(Type.Object({ attached_pic: Type.Optional(Type.Integer()) })),
  side_data_list: Type.Optional(Type.Array(Type.Object({ rotation: Type.Optional(Type.Number()) }))),
});
type Stream = Static<typeof Stream>;
const Report = Type.Object({
  streams: Type.Array(Stream),
  format: Type.Object({ start_time: Type.Optional(Type.String()), duration: Type.Optional(Type.String()) }),
});

/** The options with which ffmpeg and ffprobe open an uploaded file, and nothing else. */
export const inputOptions = ({ mimeType, limits }: Pick<VideoFile, 'mimeType' | 'limits'>) => [
  '-protocol_whitelist',
  'file',
  '-max_pixels',
  String(limits.maxPixels),
  '-f',
  formats[mimeType] ?? 'mov',
];

/** Finds out what a file contains. @throws UnsuitableVideo */
export async function probeVideo(tools: ConfinedTools, file: VideoFile): Promise<Probe> {
  const { directory, name, signal, limits } = file;
  if (playlists.test(await readHead(join(directory, name)))) throw new UnsuitableVideo(refersToOthers('The file'));
  const options = [
    '-hide_banner',
    '-v',
    'warning',
    ...inputOptions(file),
    '-show_streams',
    '-show_format',
    '-of',
    'json',
  ];
  const { output, log } = await tools
    .run('ffprobe', [...options, '-i', name], { directory, signal, maxMs: maxProbeMs })
    .catch(unreadable);
  if (/external track|Absolute path|not allowed to open/i.test(log))
    throw new UnsuitableVideo(refersToOthers('A track'));
  const report: unknown = JSON.parse(output);
  if (!Value.Check(Report, report)) throw new UnsuitableVideo('The streams of the file cannot be read');

  // The decoder refuses the size, and then the report lacks it.
  const [, width, height] = /Picture size (\d+)x(\d+) exceeds/.exec(log) ?? [];
  checkPixels(Number(width ?? 0), Number(height ?? 0), limits);

  const { streams, format } = report;
  if (streams.length > maxStreams)
    throw new UnsuitableVideo(`The file has ${streams.length} streams; at most ${maxStreams} are accepted`);
  const video = streams.find((one) => one.codec_type === 'video' && one.disposition?.attached_pic !== 1);
  if (!video) throw new UnsuitableVideo('The file has no video stream');
  const size = displayedSize(video);
  checkPixels(size.width, size.height, limits);
  const audio = streams.find((one) => one.codec_type === 'audio');
  const duration = durationOf(video, audio, format);
  if (duration.durationSeconds !== undefined) checkDuration(duration.durationSeconds, limits);
  return {
    ...size,
    ...duration,
    framesPerSecond: frameRateOf(video),
    videoIndex: video.index,
    audioIndex: audio?.index,
  };
}

function checkPixels(width: number, height: number, { maxPixels }: VideoLimits) {
  if (width * height > maxPixels)
    throw new UnsuitableVideo(`The video has ${width} × ${height} pixels; at most ${maxPixels} in total are accepted`);
}

/** @throws UnsuitableVideo */
export function checkDuration(seconds: number, { maxDurationSeconds }: VideoLimits) {
  if (seconds > maxDurationSeconds)
    throw new UnsuitableVideo(
      `The video lasts ${Math.round(seconds)} seconds; at most ${maxDurationSeconds} seconds are accepted`,
    );
}

const refersToOthers = (what: string) => `${what} refers to other files, which are not opened`;

function unreadable(error: unknown): never {
  if (error instanceof ToolTimeout || (error instanceof ToolFailed && error.signal !== null))
    throw new UnsuitableVideo('The file cannot be analyzed within the limits of time and memory');
  if (!(error instanceof ToolFailed)) throw error;
  throw new UnsuitableVideo(
    /moov atom not found|truncated|Invalid NAL|End of file/i.test(error.log)
      ? 'The file is truncated or damaged: the description of its streams is missing'
      : 'The file cannot be read: it is damaged, or not of the format that its name says',
  );
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function displayedSize({ width, height, sample_aspect_ratio: ratio, side_data_list: sideData = [] }: Stream) {
  if (!width || !height) throw new UnsuitableVideo('The size of the video cannot be read');
  const pixelRatio = parseRatio(ratio, ':') ?? 1;
  const displayed = { width: Math.max(1, Math.round(width * pixelRatio)), height };
  const rotation = sideData.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const isUpright = Math.round(rotation / 90) % 2 === 0;
  return isUpright ? displayed : { width: displayed.height, height: displayed.width };
}

/** Other streams, which are not used, may last longer. */
function durationOf(video: Stream, audio: Stream | undefined, format: Static<typeof Report>['format']) {
  const [videoEnd, audioEnd] = [endOf(video), audio && endOf(audio)];
  if (videoEnd === undefined) return { durationSeconds: positive(format.duration), stillSeconds: 0 };
  const stillSeconds = Math.max(0, (audioEnd ?? 0) - videoEnd);
  // ffmpeg begins with the first stream that begins.
  return { durationSeconds: positive(videoEnd + stillSeconds - (Number(format.start_time) || 0)), stillSeconds };
}

/** Matroska has the end of a stream in a tag. */
function endOf({ start_time: start, duration, tags }: Stream): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):([\d.]+)$/.exec(tags?.DURATION ?? '') ?? [];
  if (seconds !== undefined) return positive(Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
  const length = positive(duration);
  return length === undefined ? undefined : (Number(start) || 0) + length;
}

/** Frames are repeated or dropped to a constant rate, so that there is one at the start of each segment. */
function frameRateOf(stream: Stream): number {
  const rates = [parseRatio(stream.avg_frame_rate, '/'), parseRatio(stream.r_frame_rate, '/')];
  const rate = rates.find((one) => one !== undefined && one <= maxFrameRate) ?? usualFrameRate;
  return Math.max(minFrameRate, rate);
}

function parseRatio(text: string | undefined, separator: string): number | undefined {
  const [numerator, denominator] = (text ?? '').split(separator).map(Number);
  const ratio = (numerator ?? 0) / (denominator ?? 0);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

function positive(given: string | number | undefined): number | undefined {
  const value = Number(given);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
