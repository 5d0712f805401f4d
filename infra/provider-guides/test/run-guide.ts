import { readGuide } from './read-guide.ts';

interface Relay {
  webhookUrl: string;
  secret: string;
}

/** Calls a function that a guide's code exports. */
export async function runExport(
  module: Promise<Record<string, unknown>>,
  name: string,
  ...given: unknown[]
): Promise<unknown> {
  const { [name]: found } = await module;
  if (typeof found !== 'function') throw new Error(`the guide exports no ${name}`);
  return Reflect.apply(found, undefined, given);
}

/** Signs and sends an event with the code of the generic guide, as a relay would. */
export const sendEvent = (event: unknown, { webhookUrl, secret }: Relay) =>
  runExport(readGuide('generic-oidc').module('sign'), 'sendEvent', event, { url: webhookUrl, secret });
