import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { databases } from './databases/provision.ts';
import { root } from './processes/node-process.ts';
import { readStackFile } from './running-stack.ts';

/** `npm run operator -- SERVICE COMMAND`: runs an operator command of a service on the local stack. */
async function main([service = '', ...command]: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  if (!databases.some((name) => name === service))
    throw new Error(`Usage: npm run operator -- ${databases.join('|')} COMMAND [arguments]`);
  const { postgres, gateway } = await readStackFile(environment.DATA_DIR ?? '.data');
  const url = new URL(String(postgres?.url));
  url.pathname = `/${service}`;
  const env = {
    PUBLIC_URL: String(gateway?.url),
    ...environment,
    DATABASE_URL: environment[`${service.toUpperCase()}_DATABASE_URL`] ?? url.href,
  };
  const child = spawn(process.execPath, [join(root, 'services', service, 'dist/operator.js'), ...command], {
    env,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
