import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// sysexits' EX_USAGE.
export const usageExitCode = 64;

/** The folder and the flags that a command was given; undefined when it cannot be understood. */
export function readArguments<const F extends string>(args: string[], flags: readonly F[]) {
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]));
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    const [folder, ...others] = positionals;
    if (!folder || others.length > 0) return undefined;
    return { folder: resolve(folder), has: (flag: F) => values[flag] === true };
  } catch {
    return undefined;
  }
}
