export const upstreams = ['identity', 'content', 'media', 'enrollment'] as const;
export type Upstream = (typeof upstreams)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  method: Method;
  /** The path as find-my-way reads it. */
  path: string;
  /** Who answers: a service, or the gateway by its own answer of that name. */
  upstream: Upstream | 'gateway';
  /**
   * `public` and `optional` admit anonymous callers; the answer of an `optional` one depends on who asks. A token that is
   * sent is verified everywhere but where it is `ignored`: probes and webhooks know their callers in other ways.
   */
  token: 'ignored' | 'public' | 'optional' | 'required';
  /** Which public limit counts a request: by address the general one unless another is named, for uploads the caller's own as well. */
  limit: 'general' | 'auth' | 'upload' | 'webhook' | 'none';
  /** The longest body in bytes; an upload's is the service's business. */
  maxBodyBytes: number;
  /** True where the e-mail in a token is to be stored, whatever is remembered of its bearer. */
  storesEmail: boolean;
  /** True for anonymous reads that may be answered from memory. */
  cacheable: boolean;
}

/** Everything that can be done with one path. */
export interface Place {
  path: string;
  routes: ReadonlyMap<string, Route>;
  /** Which limit by address counts its requests, whatever their method. */
  limit: Exclude<Route['limit'], 'upload'>;
  /** The value of the `Allow` header. */
  allow: string;
}
