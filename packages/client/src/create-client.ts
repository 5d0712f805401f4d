import createFetchClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './interface.ts';
import { createRetryingFetch, type RetryOptions } from './retrying-fetch.ts';

export interface ClientOptions extends RetryOptions {
  /** The gateway, as in `https://lms.example`. */
  baseUrl: string;
  /** Gives the bearer token of each request; anonymous without it or when it gives nothing. */
  token?: () => string | undefined | Promise<string | undefined>;
}

/** A client whose paths, queries, bodies and answers have the types of the gateway's document. */
export function createClient({ baseUrl, token, ...patience }: ClientOptions) {
  const client = createFetchClient<paths>({ baseUrl, fetch: createRetryingFetch(patience) });
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
