import { defineProblem } from '@lms/service/problems';

const formats: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
};
const accepted = Object.keys(formats);

const Unsupported = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  `Unsupported video format; accepted are ${accepted.join(', ')}`,
);
const Matroska = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  'Unsupported video format: MKV files cannot be played in browsers. Convert the file to MP4 first, for example with HandBrake, or with: ffmpeg -i input.mkv -c:v libx264 -c:a aac output.mp4',
);
const Mismatch = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  'Unsupported video format: the content of the file is of another format than its extension says',
);

/** The media type of a video with this extension. @throws UNSUPPORTED_FORMAT */
export function mimeTypeOfExtension(extension: string): string {
  const details = { extension, accepted };
  if (extension === 'mkv') throw new Matroska({ details });
  const mimeType = Object.hasOwn(formats, extension) ? formats[extension] : undefined;
  if (!mimeType) throw new Unsupported({ details });
  return mimeType;
}

// What the first bytes are called when they are of no known format.
const unrecognised = ['application/octet-stream', 'text/plain'];

/** The media type of a video, unless its first bytes are recognisably another format's. @throws UNSUPPORTED_FORMAT */
export function checkFormat(extension: string, found: string): string {
  const expected = mimeTypeOfExtension(extension);
  const details = { extension, accepted };
  if (found === 'video/x-matroska') throw new Matroska({ details });
  if (found !== expected && !unrecognised.includes(found)) throw new Mismatch({ details });
  return expected;
}
