import { readGuide } from './read-guide.ts';

interface Relay {
  webhookUrl: string;
  secret: string;
}

/** Runs a guide's code: whatever it exports under the name must be a function. */
export async function run(
  module: Promise<Record<string, unknown>>,
  name: string,
  ...given: unknown[]
): Promise<unknown> {
  const { [name]: found } = await module;
  if (typeof found !== 'function') throw new Error(`the guide exports no ${name}`);
  return Reflect.apply(found, undefined, given);
}

/** Signs and sends with the code of the guide for any provider, as a relay would. */
export const tell = (event: unknown, { webhookUrl, secret }: Relay) =>
  run(readGuide('generic-oidc').module('sign'), 'sendEvent', event, { url: webhookUrl, secret });
