import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanOptions, Tracing } from './spans.ts';
import { readTraceparent } from './traceparent.ts';

const shutdownTimeoutMs = 2_000;
const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

interface Running extends Span {
  context: Context;
}

/** The one file that knows OpenTelemetry; it is loaded only where traces are recorded. Other OTEL_* settings the SDK reads itself. */
export function createTracing(name: string, endpoint: string): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.namespace': 'lms' }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })),
    ],
  });
  const tracer = provider.getTracer('lms');
  const store = new AsyncLocalStorage<Running>();
  return {
    startSpan: (title, beginning) => begin(tracer, store, title, beginning),
    activeSpan: () => store.getStore(),
    async close() {
      // A collector that is away must not hold up the end of a process.
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(shutdownTimeoutMs, undefined, { ref: false }),
      ]);
    },
  };
}

function begin(
  tracer: Tracer,
  store: AsyncLocalStorage<Running>,
  title: string,
  { kind, parent, link, attributes = {} }: SpanOptions,
): Running {
  const linked = contextOf(link);
  const above = parent === undefined ? store.getStore()?.context : continued(parent);
  const span = tracer.startSpan(
    title,
    { kind: kinds[kind], attributes, ...(linked && { links: [{ context: linked }] }) },
    above ?? ROOT_CONTEXT,
  );
  const running: Running = {
    context: trace.setSpan(ROOT_CONTEXT, span),
    traceparent: traceparentOf(span.spanContext()),
    run: (work) => store.run(running, work),
    set: (more) => void span.setAttributes(more),
    rename: (better) => void span.updateName(better),
    end: (failure) => end(span, failure),
  };
  return running;
}

function end(span: OtelSpan, failure: unknown) {
  if (failure !== undefined) {
    span.setAttribute('error.type', failure instanceof Error ? failure.name : String(failure));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function continued(parent: string | null): Context | undefined {
  const above = contextOf(parent);
  return above && trace.setSpanContext(ROOT_CONTEXT, above);
}

function contextOf(given: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = readTraceparent(given)?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
