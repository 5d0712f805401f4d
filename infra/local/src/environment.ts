import type { Environment } from '@lms/config/load-config';

/**
 * The user's environment with `own` over it; undefined removes. NAME_FILE goes wherever NAME is ours, or a part would find two values.
 */
export function extendEnvironment(given: Environment, own: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const ours = Object.keys(own).flatMap((name) => [name, `${name}_FILE`]);
  const kept = Object.entries(given).filter(([name]) => !ours.includes(name));
  return { ...Object.fromEntries(kept), ...own };
}
