import { kindsByDepth } from '../curriculum/cartridge-format.ts';
import type { CurriculumItem } from '../curriculum/items.ts';

/** The outline as CSV (RFC 4180): a row for each item, with the names of its ancestors. `category` is the level of a grade. */
export async function* writeCsv(items: AsyncIterable<CurriculumItem>): AsyncGenerator<string> {
  yield toRow([...kindsByDepth, 'description', 'content', 'category', 'externalId']);
  const path: string[] = [];
  for await (const { kind, name, description, content = '', level = '', externalId } of items) {
    path.splice(kindsByDepth.indexOf(kind), kindsByDepth.length, name);
    const names = kindsByDepth.map((_, depth) => path[depth] ?? '');
    yield toRow([...names, description, content, level, externalId ?? '']);
  }
}

const toRow = (cells: string[]) => `${cells.map(toCell).join(',')}\r\n`;

/**
 * Spreadsheets take a cell that begins with one of these for a formula, unless an apostrophe precedes it. Where the text has
 * one itself, it gets another, because imports remove one.
 */
function toCell(text: string): string {
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
