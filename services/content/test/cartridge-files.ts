import type { CartridgeItem, Issue } from '../src/curriculum/items.ts';
import { readCartridge } from '../src/curriculum/read-cartridge.ts';

/** Parts that do not end where characters and elements do. */
export async function* inParts(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_001) yield bytes.subarray(at, at + 1_001);
}

export type NewItem = CartridgeItem['fields'] & Pick<CartridgeItem, 'kind'>;

const withoutUndefined = <T extends object>(fields: T): T => {
  const copy = { ...fields };
  for (const [field, value] of Object.entries(copy)) if (value === undefined) Reflect.deleteProperty(copy, field);
  return copy;
};

/** What a cartridge of these files says, and what its items are created as. */
export async function read(manifest: string | Buffer, others: ReadonlyMap<string, string | Buffer>) {
  const files = new Map<string, string | Buffer>([['imsmanifest.xml', manifest], ...others]);
  const issues: Issue[] = [];
  const items: NewItem[] = [];
  const said: NewItem[] = [];
  const archive = {
    sizes: new Map([...files].map(([path, text]) => [path, Buffer.byteLength(text)] as const)),
    read: async (path: string) => Buffer.from(files.get(path) ?? ''),
    open: async (path: string) => inParts(Buffer.from(files.get(path) ?? '')),
  };
  for await (const { kind, fields: given, defaults } of readCartridge(archive, (issue) => issues.push(issue))) {
    const fields = withoutUndefined(given);
    said.push({ kind, ...fields });
    items.push({ kind, ...defaults, ...fields });
  }
  return { items, said, issues };
}

export const outline = (items: NewItem[]) => items.map(({ kind, name }) => `${kind} ${name}`);
export const codes = (issues: Issue[]) => issues.map(({ severity, code }) => `${severity} ${code}`);
