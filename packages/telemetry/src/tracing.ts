import type { Span, SpanOptions, Tracing } from './spans.ts';

let current: Tracing | undefined;

/** Returns undefined if this process does not record traces. */
export const tracing = (): Tracing | undefined => current;

/** Starts recording traces and sends them to an OpenTelemetry collector. */
export async function startTracing(name: string, endpoint: string): Promise<Tracing> {
  const { createTracing } = await import('./create-tracing.ts');
  const created = createTracing(name, endpoint);
  current = {
    ...created,
    async close() {
      current = undefined;
      await created.close();
    },
  };
  return current;
}

/** Runs a function in a new span if traces are recorded, otherwise without one. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = current?.startSpan(name, options);
  if (!span) return work(undefined);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
