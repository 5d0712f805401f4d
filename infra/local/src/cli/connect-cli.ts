import { type Client, createClient } from '@lms/client';
import { signIn } from '../demo/accounts.ts';
import { readStack } from '../demo/read-stack.ts';
import type { Connection } from './parse-command.ts';

/** A client of the running system, with `LMS_TOKEN` or a token of the local identity provider. */
export async function connectCli(
  { url, email, password }: Connection,
  environment: NodeJS.ProcessEnv,
): Promise<Client> {
  const given = environment.LMS_TOKEN;
  if (given && url) return createClient({ baseUrl: url, token: () => given, maxWaitSeconds: 60 });
  const stack = await readStack(environment);
  let token = given ?? (await signIn(stack.providerUrl, email, password));
  return createClient({
    baseUrl: url ?? stack.gatewayUrl,
    maxWaitSeconds: 60,
    onWait: ({ seconds }) => console.error(`The rate limit is reached; waiting for ${seconds} s`),
    async token({ forceRefresh }) {
      // Tokens expire after an hour, and a large import may take longer.
      if (forceRefresh && !given) token = await signIn(stack.providerUrl, email, password);
      return token;
    },
  });
}
