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

interface ActiveSpan extends Span {
  context: Context;
}

/** The only file that imports OpenTelemetry; it is loaded only if traces are recorded. The SDK reads further OTEL_* variables itself. */
export function createTracing(name: string, endpoint: string): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.namespace': 'lms' }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })),
    ],
  });
  const tracer = provider.getTracer('lms');
  const store = new AsyncLocalStorage<ActiveSpan>();
  return {
    startSpan: (name, options) => startSpan(tracer, store, name, options),
    activeSpan: () => store.getStore(),
    async close() {
      // An unreachable collector must not delay the shutdown.
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(shutdownTimeoutMs, undefined, { ref: false }),
      ]);
    },
  };
}

function startSpan(
  tracer: Tracer,
  store: AsyncLocalStorage<ActiveSpan>,
  name: string,
  { kind, parent, link, attributes = {} }: SpanOptions,
): ActiveSpan {
  const linked = spanContextOf(link);
  const parentContext = parent === undefined ? store.getStore()?.context : contextOf(parent);
  const span = tracer.startSpan(
    name,
    { kind: kinds[kind], attributes, ...(linked && { links: [{ context: linked }] }) },
    parentContext ?? ROOT_CONTEXT,
  );
  const active: ActiveSpan = {
    context: trace.setSpan(ROOT_CONTEXT, span),
    traceparent: traceparentOf(span.spanContext()),
    run: (work) => store.run(active, work),
    set: (attributes) => void span.setAttributes(attributes),
    rename: (name) => void span.updateName(name),
    end: (error) => end(span, error),
  };
  return active;
}

function end(span: OtelSpan, error: unknown) {
  if (error !== undefined) {
    span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function contextOf(traceparent: string | null): Context | undefined {
  const spanContext = spanContextOf(traceparent);
  return spanContext && trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function spanContextOf(traceparent: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = readTraceparent(traceparent)?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
