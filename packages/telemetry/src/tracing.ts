import type { Span, SpanOptions, Tracing } from './spans.ts';

let current: Tracing | undefined;

/** Who records traces in this process; undefined where nobody does, and then nothing is spent on it. */
export const tracing = (): Tracing | undefined => current;

/** Records traces from now on, and sends them to an OpenTelemetry collector. */
export async function startTracing(name: string, endpoint: string): Promise<Tracing> {
  const { createTracing: openTracing } = await import('./create-tracing.ts');
  const opened = openTracing(name, endpoint);
  current = {
    ...opened,
    async close() {
      current = undefined;
      await opened.close();
    },
  };
  return current;
}

/** Does something within a span, where traces are recorded. */
export async function withSpan<T>(
  name: string,
  beginning: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = current?.startSpan(name, beginning);
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
