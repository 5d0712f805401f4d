import { runCommand } from './run-command.ts';
import type { Counts } from './run-files.ts';

const bin = 'node_modules/.bin';
const checks: [name: string, file: string, args: string[]][] = [
  ['format and lint', `${bin}/biome`, ['ci', '--error-on-warnings', '--colors=off', '.']],
  ['types', `${bin}/tsc`, ['--project', 'tsconfig.json']],
  ['import rules', process.execPath, ['infra/local/check-imports.mjs']],
  ['dead code', `${bin}/knip`, ['--no-progress', '--no-config-hints']],
];

/** The checks that read the code without running it; each counts as one. */
export async function runChecks(): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0 };
  for (const [name, file, args] of checks) {
    console.log(`\n── ${name}`);
    const { code } = await runCommand(file, args);
    if (code === 0) counts.passed += 1;
    else counts.failed += 1;
    console.log(code === 0 ? `ok: ${name}` : `NOT OK: ${name}`);
  }
  return counts;
}
