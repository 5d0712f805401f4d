import { createCommandLine, run } from '@lms/cli';
import { readStack, signIn } from './running-stack.ts';

/** `npm run lms -- COMMAND`: the command line of `@lms/cli`, which signs in at the local stack unless it gets a token. */
const commandLine = createCommandLine('npm run lms --', async ({ url, token: given }) => {
  const stack = given && url ? { gatewayUrl: url, providerUrl: '' } : await readStack(process.env);
  // npm runs scripts in the folder of the package; file names are relative to that of the user.
  process.chdir(process.env.INIT_CWD ?? '.');
  const { email, password } = account.opts();
  let token = given ?? (await signIn(stack.providerUrl, email, password));
  return {
    url: url ?? stack.gatewayUrl,
    async token({ forceRefresh }) {
      // Tokens expire after an hour, and a large import may take longer.
      if (forceRefresh && !given) token = await signIn(stack.providerUrl, email, password);
      return token;
    },
  };
});
const account = commandLine
  .option('--email <email>', 'without a token, who signs in at the local identity provider', 'admin@lms.test')
  .option('--password <password>', 'the password for --email', 'password');
await run(commandLine);
