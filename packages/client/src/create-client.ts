import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { Result } from './failures.ts';
import type { paths } from './interface.ts';
import { eachItem, type ItemOf, type ListArguments, type ListPath, type Page } from './lists.ts';
import { createPlaybacks, type Playbacks } from './playback.ts';
import { createSend, type SendOptions } from './send.ts';
import { createUploads, type Uploads } from './upload.ts';

export interface ClientOptions extends SendOptions {
  /** The URL of the gateway, such as `https://lms.example`. */
  baseUrl: string;
  /** Replaces the global fetch. Uploads in browsers use XMLHttpRequest instead. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface Client extends Pick<FetchClient<paths>, 'GET' | 'POST' | 'PUT' | 'DELETE'>, Uploads, Playbacks {
  /**
   * Iterates over all items of a paginated list: `for await (const level of client.each('/api/education/levels'))`.
   * If you change which items are in the list, as when you approve each that is pending, collect them first: otherwise
   * later pages begin after items that have not been read.
   * @throws ApiError
   */
  each<P extends ListPath>(path: P, ...[options]: ListArguments<P>): AsyncGenerator<ItemOf<P>, void, undefined>;
}

/** Creates a client with the types of the gateway's OpenAPI document. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, fetch = (request) => globalThis.fetch(request), ...sendOptions } = options;
  const send = createSend(sendOptions);

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

  // openapi-fetch cannot infer the types of a path that is itself a type parameter.
  function readPage<P extends ListPath>(path: P, options: object) {
    const get = GET as unknown as (path: string, options: object) => Promise<Result<Page<ItemOf<P>>>>;
    return get(path, options);
  }

  return {
    GET,
    POST,
    PUT,
    DELETE,
    ...createUploads({ baseUrl, send, fetch }),
    ...createPlaybacks((id) => POST('/api/education/topics/{id}/video/playback', { params: { path: { id } } })),
    each(path, ...[options]) {
      const { params = {} } = Object(options);
      return eachItem((page) =>
        readPage(path, { ...options, params: { ...params, query: { limit: 100, ...params.query, page } } }),
      );
    },
  };
}
