interface PageResponse<T> {
  data?: { data: T[]; pagination: { hasNext: boolean } } | undefined;
  error?: unknown;
}

/** What the gateway answered instead of a page. */
export class PageError extends Error {
  override name = 'PageFailed';
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('The list could not be read to its end');
    this.answer = answer;
  }
}

/**
 * Goes through a list page by page:
 * `for await (const level of eachItem((page) => client.GET('/api/education/levels', { params: { query: { page } } })))`.
 * @throws PageFailed with the error body
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
