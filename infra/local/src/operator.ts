import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databases } from './databases/provision.ts';
import { readStackFile } from './running-stack.ts';
import { root } from './supervisor/process.ts';

const { argv, env } = process;

/** `npm run operator -- SERVICE COMMAND`: runs an operator command of a service on the local stack. */
try {
  const [service = ''] = argv.splice(2, 1);
  if (!databases.some((name) => name === service))
    throw new Error(`Usage: npm run operator -- ${databases.join('|')} COMMAND [arguments]`);
  const { postgres, gateway } = await readStackFile(env.DATA_DIR ?? '.data');
  const url = Object.assign(new URL(String(postgres?.url)), { pathname: `/${service}` });
  env.PUBLIC_URL ??= String(gateway?.url);
  env.DATABASE_URL = env[`${service.toUpperCase()}_DATABASE_URL`] ?? url.href;
  await import(pathToFileURL(join(root, 'services', service, 'dist/operator.js')).href);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
