import { runCommand, type Task } from './run-tasks.ts';

const bin = 'node_modules/.bin';
const checks: [name: string, file: string, args: string[]][] = [
  ['dead code', `${bin}/knip`, ['--no-progress', '--no-config-hints']],
  ['spelling', `${bin}/cspell`, ['--no-progress', '--no-must-find-files', '.']],
  // With four checkers, its default, it needs twice the processor time.
  ['types', `${bin}/tsgo`, ['--project', 'tsconfig.json', '--checkers', '1']],
  ['order of the builds', `${bin}/turbo`, ['run', 'build', '--dry=json']],
  ['import rules', process.execPath, ['infra/local/check-imports.mjs']],
  ['format and lint', `${bin}/biome`, ['ci', '--error-on-warnings', '--colors=off', '.']],
];

/** The static checks, the slowest first. Each counts as one test. */
export const checkTasks: Task[] = checks.map(([name, file, args]) => ({
  name,
  async run() {
    const { code, output } = await runCommand(file, args);
    if (code !== 0) console.log(output);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
}));
