const box = (type: string, brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`${type}${brand}\0\0\0\0isomavc1`, 'latin1')]);
const ebml = (docType: string, length = Buffer.from([0x80 | docType.length])) =>
  Buffer.concat([
    Buffer.from('1a45dfa3a3428681014286810142f7810142f2810442f381084282', 'hex'),
    length,
    Buffer.from(docType),
  ]);

const heads = {
  mp4: box('ftyp', 'isom'),
  mov: box('ftyp', 'qt  '),
  oldMov: box('moov', '\0\0\0\x6c'),
  largeMov: Buffer.from('\0\0\0\x01mdat\0\0\0\0\0\0\x27\x10', 'latin1'),
  m4a: box('ftyp', 'M4A '),
  webm: ebml('webm'),
  longWebm: ebml('webm', Buffer.from('0100000000000004', 'hex')),
  mkv: ebml('matroska'),
  ogg: Buffer.from('OggS\0\x02', 'latin1'),
  avi: Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1'),
};

/** Bytes with the signature of a format, followed by a pattern that is different at every offset. */
export function sample(format: keyof typeof heads, size: number): Buffer {
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let index = 0; index < words.length; index += 1) words[index] = index * 4;
  const bytes = Buffer.from(words.buffer).swap32().subarray(0, size);
  heads[format].copy(bytes);
  return bytes;
}
