import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** The state of the seeding: an interrupted one is completed, a completed one is never repeated. */
export const Progress = Type.Object({
  accounts: Type.Boolean(),
  school: Type.Union([Type.Literal('none'), Type.Literal('begun'), Type.Literal('done')]),
});
export type Progress = Static<typeof Progress>;

export function readProgress(file: string): Progress {
  if (!existsSync(file)) return { accounts: false, school: 'none' };
  return Value.Parse(Progress, JSON.parse(readFileSync(file, 'utf8')));
}

export function writeProgress(file: string, progress: Progress): void {
  writeFileSync(`${file}.tmp`, `${JSON.stringify(progress)}\n`, { flush: true });
  renameSync(`${file}.tmp`, file);
}
