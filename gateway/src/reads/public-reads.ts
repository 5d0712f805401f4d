import { LRUCache } from 'lru-cache';
import type { Exchange } from '../exchange.ts';
import { fetchWhole, type Whole } from '../proxy/fetch-whole.ts';
import { appendResponseHeaders } from '../proxy/response-headers.ts';
import type { Upstream } from '../proxy/upstream.ts';
import type { Tally } from '../tally.ts';
import { type Read, sendFailedRead, sendRead } from './send-read.ts';

// Content's events drop everything at once; this bounds what is shown when none arrive.
const lifetimeMs = 5_000;
const maxBytes = 1_024 * 1_024;
const mostBytes = 64 * 1_024 * 1_024;
const longestUrl = 2_048;
const rememberedLong = 10_000;

type Outcome = { read: Read } | { failure: Whole } | undefined;

/**
 * Answers of content that do not depend on who asks, kept for seconds. Any number of callers who miss at once share one
 * request to content; errors are shared by those who wait and kept for nobody.
 */
export function createPublicReads(upstream: Upstream, { reads: tally }: Pick<Tally, 'reads'>) {
  const kept = new LRUCache<string, Read>({
    ttl: lifetimeMs,
    maxSize: mostBytes,
    sizeCalculation: ({ body }) => body.length + 1_024,
  });
  const tooLong = new LRUCache<string, true>({ max: rememberedLong, ttl: 60_000 });
  // What was asked before a drop may answer those who asked then; it is not kept, and nobody joins it any more.
  let asked = new Map<string, Promise<Outcome>>();

  function ask(url: string, headers: string[]): Promise<Outcome> {
    const generation = asked;
    const pending = fetchWhole(upstream, url, headers, maxBytes)
      .then((whole): Outcome => {
        if (!whole) {
          tooLong.set(url, true);
          return undefined;
        }
        if (whole.status !== 200) return { failure: whole };
        const read = toRead(whole);
        if (generation === asked) kept.set(url, read);
        return { read };
      })
      .finally(() => generation.delete(url));
    generation.set(url, pending);
    return pending;
  }

  return {
    /**
     * @param headers what content is told should it have to be asked
     * @returns false when the answer is too long to be kept: the request is to be passed on
     */
    async answer(exchange: Exchange, headers: () => string[]): Promise<boolean> {
      const { url = '' } = exchange.incoming;
      const known = kept.get(url);
      if (known) {
        tally.remembered += 1;
        sendRead(exchange, known);
        return true;
      }
      if (url.length > longestUrl || tooLong.has(url)) return false;
      const asking = asked.get(url);
      tally[asking ? 'shared' : 'asked'] += 1;
      const outcome = await (asking ?? ask(url, headers()));
      if (!outcome) return false;
      if ('read' in outcome) sendRead(exchange, outcome.read);
      else sendFailedRead(exchange, outcome.failure);
      return true;
    },
    drop() {
      kept.clear();
      asked = new Map();
    },
  };
}
export type PublicReads = ReturnType<typeof createPublicReads>;

function toRead({ headers, body }: Whole): Read {
  const { 'content-length': _length, ...told } = headers;
  const all: string[] = [];
  appendResponseHeaders(all, told, false);
  const { etag } = headers;
  return { body, etag: typeof etag === 'string' ? etag : undefined, headers: all };
}
