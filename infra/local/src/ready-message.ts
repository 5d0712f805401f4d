import type { StackContext } from './processes/service-processes.ts';

const accounts = [
  ['admin@lms.test', 'ADMIN, plan ENTERPRISE'],
  ['mentor@lms.test', 'MENTOR'],
  ['learner@lms.test', 'LEARNER'],
];

/** The message for a user who has just started the stack. */
export function readyMessage({ settings, addresses, publicUrl }: StackContext, directory: string): string {
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
