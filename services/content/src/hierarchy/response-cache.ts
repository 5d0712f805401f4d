import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface Reply {
  header: (name: string, value: string) => unknown;
  getHeader: (name: string) => unknown;
  /** The route's compiled serializer. */
  serialize: (body: unknown) => unknown;
}

interface CachedResponse {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Serialized responses, each under a key that contains everything it depends on: the versions of its rows and what its
 * caller may see of them. They cannot become outdated, only unused.
 */
export function createResponseCache(maxBytes: number) {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length,
  });

  /** @param create returns the body, and whether it belongs to the key; it sets the `Link` header */
  async function send(
    reply: Reply,
    key: string,
    create: () => Promise<{ body: unknown; isCacheable: boolean }>,
  ): Promise<Buffer> {
    const cached = responses.get(key);
    if (cached) {
      for (const [name, value] of Object.entries(cached.headers)) reply.header(name, value);
      return cached.body;
    }
    const created = await create();
    const body = Buffer.from(String(reply.serialize(created.body)));
    const etag = `"${createHash('sha1').update(body).digest('base64')}"`;
    const link = reply.getHeader('link');
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      etag,
      ...(typeof link === 'string' && { link }),
    };
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    if (created.isCacheable) responses.set(key, { body, headers });
    return body;
  }
  return { send };
}
