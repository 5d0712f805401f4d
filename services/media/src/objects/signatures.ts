const signatures: readonly [prefix: string, mimeType: string][] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\x01\0', 'image/vnd.microsoft.icon'],
  ['8BPS\0', 'image/vnd.adobe.photoshop'],
  ['OggS', 'video/ogg'],
  ['fLaC', 'audio/flac'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['{\\rtf', 'application/rtf'],
  ['#!', 'text/x-script'],
  ['\x7fELF', 'application/x-elf'],
  ['\xfe\xed\xfa', 'application/x-mach-binary'],
  ['\xce\xfa\xed\xfe', 'application/x-mach-binary'],
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
  ['\xfd7zXZ\0', 'application/x-xz'],
  ['BZh91AY&SY', 'application/x-bzip2'],
  ["7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  ['Rar!\x1a\x07', 'application/vnd.rar'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
];

// Plain letters, with which a text may begin as well: "BMI", "ID3 tags explained", "MZ".
const letterSignatures: typeof signatures = [
  ['BM', 'image/bmp'],
  ['ID3', 'audio/mpeg'],
  ['MZ', 'application/vnd.microsoft.portable-executable'],
];

// Images and audio share the box format of MP4; the brand distinguishes them.
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
// QuickTime files without a brand begin with one of these boxes.
const quickTimeBoxes = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];

const riffForms: Record<string, string> = { 'AVI ': 'video/x-msvideo', WAVE: 'audio/wav', WEBP: 'image/webp' };

/** The media type of the format whose signature a file begins with; undefined if there is none. */
export function matchSignature(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const box = text.slice(4, 8);
  if (box === 'ftyp') return brands[text.slice(8, 12)] ?? 'video/mp4';
  if (quickTimeBoxes.includes(box) && isBoxSize(head.readUInt32BE(0)) && !isText(head)) return 'video/quicktime';
  if (text.startsWith('RIFF')) return riffForms[text.slice(8, 12)];
  if (text.startsWith('\x1a\x45\xdf\xa3')) return parseEbml(text);
  if (isTransportStream(head)) return 'video/mp2t';
  const candidates = isText(head) ? signatures : [...signatures, ...letterSignatures];
  return candidates.find(([prefix]) => text.startsWith(prefix))?.[1];
}

// 0: the box extends to the end of the file. 1: a 64-bit size follows the name. Otherwise at least the 8-byte header.
const isBoxSize = (size: number) => size < 2 || size >= 8;

// Packets of 188 bytes, each of which begins with the sync byte 0x47 (the letter G).
const isTransportStream = (head: Buffer) => [0, 188, 376].every((at) => head[at] === 0x47) && !isText(head);

// "The free market" has a box name in the right position, but binary formats contain bytes that text does not.
const isText = (head: Buffer) => head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));

// WebM is Matroska with another DocType: EBML id 0x4282, a length (its leading zero bits give its size in bytes), the name.
function parseEbml(text: string): string {
  const at = text.indexOf('\x42\x82');
  const lengthBytes = Math.clz32(text.charCodeAt(at + 2)) - 23;
  return at > 0 && text.startsWith('webm', at + 2 + lengthBytes) ? 'video/webm' : 'video/x-matroska';
}
