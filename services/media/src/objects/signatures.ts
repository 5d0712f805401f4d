/** What the first bytes say: a container of its own name, or a family that the file's extension may narrow. */
const starts: readonly [prefix: string, mimeType: string][] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['BM', 'image/bmp'],
  ['OggS', 'video/ogg'],
  ['fLaC', 'audio/flac'],
  ['ID3', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['{\\rtf', 'application/rtf'],
  ['PK\x03\x04', 'application/zip'],
  ['PK\x05\x06', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ["7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  ['Rar!\x1a\x07', 'application/vnd.rar'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
];

// Pictures and sound share the box format of MP4; their brands tell them apart.
const brands: Record<string, string> = {
  'qt  ': 'video/quicktime',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
  heic: 'image/heic',
  heix: 'image/heic',
  mif1: 'image/heif',
  msf1: 'image/heif',
  avif: 'image/avif',
  avis: 'image/avif',
};
// QuickTime files from before there were brands begin with one of these boxes.
const quickTimeBoxes = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];

const riffForms: Record<string, string> = { 'AVI ': 'video/x-msvideo', WAVE: 'audio/wav', WEBP: 'image/webp' };

/** The media type that the first bytes of a file speak for; undefined when they are of no format that we know. */
export function readSignature(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const box = text.slice(4, 8);
  if (box === 'ftyp') return brands[text.slice(8, 12)] ?? 'video/mp4';
  if (quickTimeBoxes.includes(box) && head.readUInt32BE(0) >= 8) return 'video/quicktime';
  if (text.startsWith('RIFF')) return riffForms[text.slice(8, 12)];
  if (text.startsWith('\x1a\x45\xdf\xa3')) return readEbml(text);
  return starts.find(([prefix]) => text.startsWith(prefix))?.[1];
}

// WebM is Matroska with another DocType (EBML id 0x4282, one byte of length, the name).
function readEbml(text: string): string {
  const at = text.indexOf('\x42\x82');
  const length = text.charCodeAt(at + 2) & 0x7f;
  return at > 0 && text.slice(at + 3, at + 3 + length).startsWith('webm') ? 'video/webm' : 'video/x-matroska';
}
