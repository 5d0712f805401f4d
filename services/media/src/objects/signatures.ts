/** What the first bytes say: a container of its own name, or a family that the file's extension may narrow. */
const starts: readonly [prefix: string, mimeType: string][] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['OggS', 'video/ogg'],
  ['fLaC', 'audio/flac'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['{\\rtf', 'application/rtf'],
  ['#!', 'text/x-script'],
  ['\x7fELF', 'application/x-elf'],
  ['\xfe\xed\xfa', 'application/x-mach-binary'],
  ['\xcf\xfa\xed\xfe', 'application/x-mach-binary'],
  ['\xca\xfe\xba\xbe', 'application/java-vm'],
  ['\0asm', 'application/wasm'],
  ['FLV\x01', 'video/x-flv'],
  ['\0\0\x01\xba', 'video/mpeg'],
  ['\0\0\x01\xb3', 'video/mpeg'],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video/x-ms-asf'],
  ['PK\x03\x04', 'application/zip'],
  ['PK\x05\x06', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ["7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  ['Rar!\x1a\x07', 'application/vnd.rar'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
];

// Letters with which a text may begin just as well: "BMI", "ID3 tags explained", "MZ".
const wordyStarts: typeof starts = [
  ['BM', 'image/bmp'],
  ['ID3', 'audio/mpeg'],
  ['MZ', 'application/vnd.microsoft.portable-executable'],
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
export function matchSignature(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const box = text.slice(4, 8);
  if (box === 'ftyp') return brands[text.slice(8, 12)] ?? 'video/mp4';
  if (quickTimeBoxes.includes(box) && isBoxSize(head.readUInt32BE(0)) && !isWords(head)) return 'video/quicktime';
  if (text.startsWith('RIFF')) return riffForms[text.slice(8, 12)];
  if (text.startsWith('\x1a\x45\xdf\xa3')) return readEbml(text);
  if (isTransportStream(head)) return 'video/mp2t';
  const known = isWords(head) ? starts : [...starts, ...wordyStarts];
  return known.find(([prefix]) => text.startsWith(prefix))?.[1];
}

// 0: to the end of the file, 1: a size of 64 bits follows the name; else its own eight bytes at least.
const isBoxSize = (size: number) => size < 2 || size >= 8;

// Packets of 188 bytes, each of which begins with a G.
const isTransportStream = (head: Buffer) => [0, 188, 376].every((at) => head[at] === 0x47) && !isWords(head);

// "The free market" has the name of a box where boxes have theirs; but what is binary has bytes that no text has.
const isWords = (head: Buffer) => head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));

// WebM is Matroska with another DocType: EBML id 0x4282, a length whose leading zero bits say how many bytes it takes, the name.
function readEbml(text: string): string {
  const at = text.indexOf('\x42\x82');
  const lengthBytes = Math.clz32(text.charCodeAt(at + 2)) - 23;
  return at > 0 && text.startsWith('webm', at + 2 + lengthBytes) ? 'video/webm' : 'video/x-matroska';
}
