import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string | Buffer;
  data: Buffer | string;
  /** Of a Unix file, with its type. */
  mode?: number;
  /** General purpose flags, besides the one for UTF-8. */
  flags?: number;
  method?: number;
  /** The size that the archive says, instead of the real one. */
  claimedSize?: number;
  claimedChecksum?: number;
}

/** A ZIP archive of these files, and of further entries as they are given, whether valid or not. */
export function zipOf(files: Record<string, Buffer | string>, entries: ZipEntry[] = []): Buffer {
  const all = [...Object.entries(files).map(([name, data]): ZipEntry => ({ name, data })), ...entries];
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: given, data: content, mode = 0o100644, flags = 0, method = 8, ...claimed } of all) {
    const name = Buffer.from(given);
    const data = Buffer.from(content);
    const bytes = method === 8 ? deflateRawSync(data) : data;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(claimed.claimedChecksum ?? crc32(data), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(claimed.claimedSize ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, bytes);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, name);
    offset += 30 + name.length + bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(all.length, 8);
  end.writeUInt16LE(all.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
