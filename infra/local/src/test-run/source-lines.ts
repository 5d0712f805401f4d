import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';

const sourceMap = /sourceMappingURL=data:application\/json;base64,(\S+)\s*$/;
// In a stack trace, and in the details of a failed assertion.
const places = [
  /()((?:[^\s():]+\/)?dist(?:-test|-acceptance)?\/[^\s():]+\.js)(:)(\d+)(:)(\d+)/g,
  /(fileName: )(\S+\/dist(?:-test|-acceptance)?\/\S+\.js)(\s+lineNumber: )(\d+)(\s+columnNumber: )(\d+)/g,
];

/**
 * Replaces the lines of compiled files in the output of a test by those of the TypeScript sources. With
 * `--enable-source-maps`, Node.js would read the source maps of all dependencies, whether the test fails or not.
 */
export function toSourceLines(output: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  const replace = (found: string, ...[before, file, middle, line, between, column]: string[]) => {
    const origin = mapOf(file ?? '')?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return found;
    return `${before}${join(file ?? '', '..', origin.fileName)}${middle}${origin.lineNumber}${between}${origin.columnNumber}`;
  };
  return places.reduce((text, place) => text.replaceAll(place, replace), output);
}

function readMap(file: string): SourceMap | undefined {
  const [, encoded] = sourceMap.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  return encoded ? new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString())) : undefined;
}
