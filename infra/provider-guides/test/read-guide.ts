import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export interface Guide {
  /** The settings of a process on the page. */
  settings(process: string): Record<string, string>;
  json(label: string): Record<string, unknown>;
  code(label: string): string;
  /** A block of code as a module. */
  module(label: string): Promise<Record<string, unknown>>;
}

/** Reads the labelled code blocks of a guide. */
export function readGuide(name: string): Guide {
  const text = readFileSync(new URL(`../../../docs/identity-providers/${name}.md`, import.meta.url), 'utf8');
  const blocks = new Map<string, string>();
  for (const [, info = '', block = ''] of text.matchAll(/^```(\w+ [\w -]+)\n([\s\S]*?)^```$/gm))
    blocks.set(info, block);

  function blockOf(info: string): string {
    const block = blocks.get(info);
    if (block === undefined) throw new Error(`${name}.md has no block "${info}"`);
    return block;
  }
  return {
    settings: (process) =>
      Object.fromEntries(Object.entries(parseEnv(blockOf(`env ${process}`))).map(([key, value = '']) => [key, value])),
    json: (label) => JSON.parse(blockOf(`json ${label}`)),
    code: (label) => blockOf(`js ${label}`),
    module: (label) => import(`data:text/javascript,${encodeURIComponent(blockOf(`js ${label}`))}`),
  };
}
