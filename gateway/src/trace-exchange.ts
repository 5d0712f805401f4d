import type { Span } from '@lms/telemetry/spans';
import { tracing } from '@lms/telemetry/tracing';
import type { Exchange } from './exchange.ts';

/**
 * Begins a trace for a request, where traces are recorded. A client's own traceparent becomes a link and nothing more:
 * strangers must neither choose what is recorded nor write into traces of ours.
 */
export function traceExchange(exchange: Exchange): Span | undefined {
  const { incoming, outgoing, requestId } = exchange;
  const { traceparent } = incoming.headers;
  const span = tracing()?.startSpan(`${incoming.method}`, {
    kind: 'server',
    parent: null,
    link: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: { 'http.request.method': incoming.method, 'lms.request_id': requestId },
  });
  if (!span) return undefined;
  outgoing.once('close', () => {
    span.rename(`${incoming.method} ${exchange.place?.path ?? 'unknown'}`);
    span.set({ 'http.route': exchange.place?.path ?? 'unknown', 'http.response.status_code': outgoing.statusCode });
    span.end(outgoing.statusCode >= 500 ? outgoing.statusCode : undefined);
  });
  return span;
}

/** A call to a service on a request's behalf, as a part of its trace. */
export const traceCall = (upstream: string, method: string | undefined) =>
  tracing()?.startSpan(`${method} ${upstream}`, {
    kind: 'client',
    attributes: { 'http.request.method': method, 'lms.upstream': upstream },
  });
