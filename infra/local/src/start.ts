import { resolve } from 'node:path';
import { findWarnings, loadSettings } from './settings.ts';
import { listExternalServers, type StackContext, startStack } from './start-stack.ts';
import { exitWith } from './supervisor/process.ts';
import { runStack } from './supervisor/run-stack.ts';

// The stack keeps running when the reader of its output exits.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  const report = (line: string) => console.log(line);
  const settings = loadSettings(process.env);
  for (const warning of findWarnings(settings)) report(`warning            ${warning}`);
  const directory = resolve(settings.DATA_DIR);
  const exitCode = await runStack({
    ...{ directory, report, external: listExternalServers(settings, directory) },
    async start(supervisor) {
      const context = await startStack(supervisor, { settings, environment: process.env, directory, report });
      report(readyMessage(context));
    },
  });
  process.exit(exitCode);
} catch (error) {
  exitWith(error);
}

/** The message for a user who has just started the stack. */
function readyMessage({ settings, addresses, directory }: StackContext): string {
  const gateway = addresses.gateway.url;
  const provider = settings.IDP_ISSUER ?? addresses.identityProvider.url;
  const requests = settings.IDP_ISSUER
    ? `  First request:
    curl ${gateway}/api/education/levels`
    : `  Accounts, each with the password "password":
    admin@lms.test     ADMIN, plan ENTERPRISE
    mentor@lms.test    MENTOR
    learner@lms.test   LEARNER

  First request:
    TOKEN=$(curl -s ${provider}/token -d grant_type=password -d client_id=lms-local -d username=learner@lms.test -d password=password | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')
    curl -H "Authorization: Bearer $TOKEN" ${gateway}/api/auth/profile`;
  return `
The learning management system is ready.

  API                ${gateway}/api
  Reference          ${gateway}/api/docs
  Identity provider  ${provider}
  All addresses      ${directory}/stack.json
  Logs               ${directory}/logs/

${requests}

  Press Ctrl-C to stop.
`;
}
