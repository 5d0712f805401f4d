export interface SplitOptions {
  /** The maximum size of a piece. */
  maxBytes: number;
  /** How long a piece may wait for more bytes before it ends. */
  maxMs: number;
  /** Ends the body. */
  signal: AbortSignal;
}

/**
 * Yields a body in pieces, each of which is read to its end before the next one. A body that breaks off ends like any
 * other: what has arrived is in the pieces.
 */
export async function* splitBody(body: AsyncIterable<Uint8Array>, { maxBytes, maxMs, signal }: SplitOptions) {
  const chunks = body[Symbol.asyncIterator]();
  let waiting: Promise<Uint8Array | 'end'> | undefined;
  let interrupt: (reason: 'end' | 'expired') => void = () => undefined;
  const abort = () => interrupt('end');
  signal.addEventListener('abort', abort);
  let rest: Uint8Array | undefined;
  let isEnded = false;

  const read = () =>
    chunks.next().then(
      ({ done, value }) => (done ? ('end' as const) : value),
      () => 'end' as const,
    );

  /** The next bytes, or undefined at the end of the body and after the deadline. */
  async function next(timeoutMs?: number): Promise<Uint8Array | undefined> {
    if (rest) {
      const chunk = rest;
      rest = undefined;
      return chunk;
    }
    waiting ??= read();
    // A new promise each time: one that is pending until the end of the body would keep all chunks in memory.
    const interrupted = new Promise<'end' | 'expired'>((resolve) => {
      interrupt = resolve;
    });
    const timer = timeoutMs === undefined ? undefined : setTimeout(interrupt, Math.max(0, timeoutMs), 'expired');
    if (signal.aborted) abort();
    const chunk = await Promise.race([interrupted, waiting]);
    clearTimeout(timer);
    if (chunk === 'expired') return undefined;
    waiting = undefined;
    isEnded = chunk === 'end';
    return chunk === 'end' ? undefined : chunk;
  }

  async function* pieceFrom(first: Uint8Array): AsyncGenerator<Uint8Array> {
    const endsAt = performance.now() + maxMs;
    let size = 0;
    for (let chunk: Uint8Array | undefined = first; chunk; chunk = await next(endsAt - performance.now())) {
      const bytes = chunk.subarray(0, maxBytes - size);
      if (bytes.length < chunk.length) rest = chunk.subarray(bytes.length);
      size += bytes.length;
      yield bytes;
      if (size === maxBytes) return;
    }
  }

  try {
    while (!isEnded) {
      const first = await next();
      if (first) yield pieceFrom(first);
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
