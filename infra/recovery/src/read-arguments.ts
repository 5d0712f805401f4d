import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// EX_USAGE of sysexits.h.
export const usageExitCode = 64;

/** Returns the folder and the flags of a command, or undefined if the arguments are invalid. */
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
