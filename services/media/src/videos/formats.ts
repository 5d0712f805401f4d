import { defineProblem } from '@lms/service/problems';

const mimeTypes: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
};
const accepted = Object.keys(mimeTypes);

const UnsupportedExtension = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  `Unsupported video format. Accepted formats: ${accepted.join(', ')}`,
);
const MatroskaNotSupported = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  'Unsupported video format: browsers cannot play MKV files. Convert the file to MP4 first, for example with HandBrake, or with: ffmpeg -i input.mkv -c:v libx264 -c:a aac output.mp4',
);
const FormatMismatch = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  'Unsupported video format: the content of the file does not match its extension',
);

/** @throws 400 UNSUPPORTED_FORMAT */
function mimeTypeOfExtension(extension: string): string {
  const details = { extension, accepted };
  if (extension === 'mkv') throw new MatroskaNotSupported({ details });
  const mimeType = Object.hasOwn(mimeTypes, extension) ? mimeTypes[extension] : undefined;
  if (!mimeType) throw new UnsupportedExtension({ details });
  return mimeType;
}

// What sniffing returns for bytes of no known format.
const unrecognized = ['application/octet-stream', 'text/plain'];

/** Returns the media type of the extension. @throws 400 UNSUPPORTED_FORMAT if the bytes are recognizably of another format */
function checkMimeType(extension: string, sniffed: string): string {
  const expected = mimeTypeOfExtension(extension);
  const details = { extension, accepted };
  if (sniffed === 'video/x-matroska') throw new MatroskaNotSupported({ details });
  if (sniffed !== expected && !unrecognized.includes(sniffed)) throw new FormatMismatch({ details });
  return expected;
}

export const videoForm = {
  kind: 'video',
  fileField: 'video',
  textFields: [],
  checkExtension: mimeTypeOfExtension,
  checkMimeType,
} as const;
