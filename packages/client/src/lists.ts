import type { FetchOptions } from 'openapi-fetch';
import { ApiError, type Result } from './failures.ts';
import type { paths } from './interface.ts';

export interface Page<T> {
  data: T[];
  pagination: { hasNext: boolean };
}

type ResponseOf<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** The paths of the paginated lists. */
export type ListPath = {
  [P in keyof paths]: ResponseOf<P> extends never ? never : ResponseOf<P> extends Page<unknown> ? P : never;
}[keyof paths];

/** An item of the list at a path. */
export type ItemOf<P extends ListPath> = ResponseOf<P> extends Page<infer T> ? T : never;

/** Path parameters and filters of the list at a path. */
export type ListOptions<P extends ListPath> = paths[P] extends { get: infer Operation }
  ? FetchOptions<Operation>
  : never;

/** A path without parameters needs no options. */
export type ListArguments<P extends ListPath> =
  object extends ListOptions<P> ? [options?: ListOptions<P>] : [options: ListOptions<P>];

export async function* eachItem<T>(
  readPage: (page: number) => Promise<Result<Page<T>>>,
): AsyncGenerator<T, void, undefined> {
  for (let page = 1, hasNext = true; hasNext; page += 1) {
    const { data, error, response } = await readPage(page);
    if (error) throw new ApiError(error, response);
    if (data) yield* data.data;
    hasNext = data?.pagination.hasNext ?? false;
  }
}
