import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, configExitCode } from '@lms/config/load-config';
import { checkFreeSpace, NotEnoughSpace } from './free-space.ts';
import type { StackContext } from './processes/service-processes.ts';
import { findWarnings, loadSettings, type Settings } from './settings.ts';
import { listExternalServers, startStack } from './start-stack.ts';
import { DirectoryInUse } from './supervisor/directory-lock.ts';
import { runStack } from './supervisor/run-stack.ts';

// The stack keeps running when the reader of its output exits.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const report = (line: string) => console.log(line);

function main(settings: Settings): Promise<number> {
  for (const warning of findWarnings(settings)) report(`warning            ${warning}`);
  const directory = resolve(settings.DATA_DIR);
  openDirectory(directory);
  checkFreeSpace(directory);
  return runStack({
    ...{ directory, report, external: listExternalServers(settings, directory) },
    async start(supervisor) {
      const context = await startStack(supervisor, { settings, environment: process.env, directory, report });
      report(readyMessage(context, directory));
    },
  });
}

class UnusableDirectory extends Error {}

function openDirectory(directory: string) {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnusableDirectory(`DATA_DIR ${directory} cannot be written: ${reason}`, { cause });
  }
}

const accounts = [
  ['admin@lms.test', 'ADMIN, plan ENTERPRISE'],
  ['mentor@lms.test', 'MENTOR'],
  ['learner@lms.test', 'LEARNER'],
];

/** The message for a user who has just started the stack. */
function readyMessage({ settings, addresses, publicUrl }: StackContext, directory: string): string {
  const gateway = addresses.gateway.url;
  const provider = settings.IDP_ISSUER ?? addresses.identityProvider.url;
  const readToken = `node -pe 'JSON.parse(fs.readFileSync(0)).access_token'`;
  const form = ['grant_type=password', 'client_id=lms-local', 'username=learner@lms.test', 'password=password'];
  const firstRequest = settings.IDP_ISSUER
    ? [`    curl ${gateway}/api/education/levels`]
    : [
        `    TOKEN=$(curl -s ${provider}/token ${form.map((field) => `-d ${field}`).join(' ')} | ${readToken})`,
        `    curl -H "Authorization: Bearer $TOKEN" ${gateway}/api/auth/profile`,
      ];
  const accountLines = accounts.map(([email = '', role]) => `    ${email.padEnd(18)} ${role}`);
  return [
    '',
    'The learning management system is ready.',
    '',
    `  API                ${gateway}/api`,
    ...(publicUrl === gateway ? [] : [`  Public URL         ${publicUrl}`]),
    `  Reference          ${gateway}/api/docs`,
    `  Identity provider  ${provider}`,
    `  All addresses      ${directory}/stack.json`,
    `  Logs               ${directory}/logs/`,
    '',
    ...(settings.IDP_ISSUER ? [] : ['  Accounts, each with the password "password":', ...accountLines, '']),
    '  First request:',
    ...firstRequest,
    '',
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

try {
  process.exit(await main(loadSettings(process.env)));
} catch (error) {
  const isExpected = [ConfigError, DirectoryInUse, NotEnoughSpace, UnusableDirectory].some(
    (expected) => error instanceof expected,
  );
  console.error(isExpected && error instanceof Error ? error.message : error);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}
