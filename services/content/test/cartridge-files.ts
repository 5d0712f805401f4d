import type { CurriculumItem, Issue } from '../src/curriculum/items.ts';
import { readCartridge } from '../src/curriculum/read-cartridge.ts';

/** Parts that do not end where characters and elements do. */
export async function* inParts(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_001) yield bytes.subarray(at, at + 1_001);
}

/** What a cartridge of these files is imported as. */
export async function read(manifest: string | Buffer, others: ReadonlyMap<string, string>) {
  const files = new Map<string, string | Buffer>([['imsmanifest.xml', manifest], ...others]);
  const issues: Issue[] = [];
  const items: CurriculumItem[] = [];
  const archive = {
    sizes: new Map([...files].map(([path, text]) => [path, Buffer.byteLength(text)] as const)),
    read: async (path: string) => Buffer.from(files.get(path) ?? ''),
    open: async (path: string) => inParts(Buffer.from(files.get(path) ?? '')),
  };
  for await (const found of readCartridge(archive, (issue) => issues.push(issue))) items.push(found);
  return { items, issues };
}

export const outline = (items: CurriculumItem[]) => items.map(({ kind, name }) => `${kind} ${name}`);
export const codes = (issues: Issue[]) => issues.map(({ severity, code }) => `${severity} ${code}`);
