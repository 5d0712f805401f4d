import createFetchClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './interface.ts';
import { createRetryingFetch, type RetryOptions } from './retrying-fetch.ts';

export interface ClientOptions extends RetryOptions {
  /** The URL of the gateway, such as `https://lms.example`. */
  baseUrl: string;
  /** Returns the bearer token for each request. Without a token, requests are anonymous. */
  token?: () => string | undefined | Promise<string | undefined>;
}

/** Creates a client with the types of the gateway's OpenAPI document. */
export function createClient({ baseUrl, token, ...retryOptions }: ClientOptions) {
  const client = createFetchClient<paths>({ baseUrl, fetch: createRetryingFetch(retryOptions) });
  const authorize: Middleware = {
    async onRequest({ request }) {
      const bearer = await token?.();
      if (bearer) request.headers.set('authorization', `Bearer ${bearer}`);
      return request;
    },
  };
  client.use(authorize);
  return client;
}
export type Client = ReturnType<typeof createClient>;
