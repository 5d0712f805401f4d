import createFetchClient from 'openapi-fetch';
import type { Result } from './failures.ts';
import type { paths } from './interface.ts';
import { eachItem, type ItemOf, type ListArguments, type ListPath } from './lists.ts';
import { createSend, type SendOptions } from './send.ts';
import { createUploads } from './upload.ts';

export interface ClientOptions extends SendOptions {
  /** The URL of the gateway, such as `https://lms.example`. */
  baseUrl: string;
  fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client with the types of the gateway's OpenAPI document. */
export function createClient({ baseUrl, fetch = (request) => globalThis.fetch(request), ...options }: ClientOptions) {
  const send = createSend(options);

  const sendRequest = (request: Request) => {
    const isRepeatable = request.method !== 'POST' || request.headers.has('idempotency-key');
    const attempt = (token: string | undefined) => {
      const copy = request.clone();
      if (token) copy.headers.set('authorization', `Bearer ${token}`);
      return fetch(copy);
    };
    return send(attempt, { isRepeatable, signal: request.signal });
  };

  const { GET, POST, PUT, DELETE } = createFetchClient<paths>({ baseUrl, fetch: sendRequest });
  return {
    GET,
    POST,
    PUT,
    DELETE,
    ...createUploads({ baseUrl, send, fetch }),

    /**
     * Iterates over all items of a paginated list: `for await (const level of client.each('/api/education/levels'))`.
     * @throws ApiError
     */
    each<P extends ListPath>(path: P, ...[options]: ListArguments<P>) {
      const { params = {} } = Object(options);
      const readPage = (page: number) =>
        read<P>(path, { ...options, params: { ...params, query: { limit: 100, ...params.query, page } } });
      return eachItem(readPage);
    },
  };

  // openapi-fetch cannot infer the types of a path that is itself a type parameter.
  function read<P extends ListPath>(path: P, options: object) {
    const get = GET as unknown as (path: string, options: object) => Promise<Result<ListPage<P>>>;
    return get(path, options);
  }
}
export type Client = ReturnType<typeof createClient>;

interface ListPage<P extends ListPath> {
  data: ItemOf<P>[];
  pagination: { hasNext: boolean };
}
