interface PageResponse<T> {
  data?: { data: T[]; pagination: { hasNext: boolean } } | undefined;
  error?: unknown;
}

/** A page could not be read; `body` is the error response. */
export class PageError extends Error {
  override name = 'PageError';
  readonly body: unknown;
  constructor(body: unknown) {
    super('Reading a page of the list failed');
    this.body = body;
  }
}

/**
 * Iterates over all items of a paginated list:
 * `for await (const level of eachItem((page) => client.GET('/api/education/levels', { params: { query: { page } } })))`.
 * @throws PageError
 */
export async function* eachItem<T>(
  readPage: (page: number) => Promise<PageResponse<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let page = 1, hasNext = true; hasNext; page += 1) {
    const { data, error } = await readPage(page);
    if (!data) throw new PageError(error);
    yield* data.data;
    hasNext = data.pagination.hasNext;
  }
}
