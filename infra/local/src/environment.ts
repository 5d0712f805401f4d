import type { Environment } from '@lms/config/load-config';

/**
 * Merges `own` into the user's environment; undefined removes a variable. NAME_FILE is removed with NAME, because a process
 * rejects settings that have both.
 */
export function extendEnvironment(given: Environment, own: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const overridden = Object.keys(own).flatMap((name) => [name, `${name}_FILE`]);
  const unchanged = Object.entries(given).filter(([name]) => !overridden.includes(name));
  return { ...Object.fromEntries(unchanged), ...own };
}
