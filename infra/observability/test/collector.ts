import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '@lms/testing/listen';
import type { Test } from 'tap';

export interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** The SpanKind of OTLP: 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  links: string[];
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
const valuesOf = (attributes: Attribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Receives traces like an OpenTelemetry collector: OTLP over HTTP, in JSON. */
export async function startCollector(t: Test) {
  const spans: Span[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = Object(await json(incoming));
    if (incoming.url !== '/v1/traces' || !Array.isArray(body.resourceSpans)) return outgoing.writeHead(400).end();
    for (const { resource, scopeSpans } of body.resourceSpans)
      for (const scope of scopeSpans)
        for (const { links = [], attributes, parentSpanId, name, traceId, spanId, kind } of scope.spans)
          spans.push({
            service: String(valuesOf(resource.attributes)['service.name']),
            name,
            traceId,
            spanId,
            parentSpanId: parentSpanId || undefined,
            kind,
            links: links.map((link: { traceId: string }) => link.traceId),
            attributes: valuesOf(attributes),
          });
    return outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { url: await listen(t, server), spans };
}
