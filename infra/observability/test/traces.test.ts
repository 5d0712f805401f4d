import { generateKeyPairSync } from 'node:crypto';
import { testDatabase } from '@lms/testing/database';
import { startNats, type TestServer } from '@lms/testing/servers';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type Span, startCollector } from './collector.ts';
import { startProcess } from './processes.ts';
import { resolvePath } from './read-queries.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const passportKeys = { PASSPORT_PRIVATE_KEY: privateKey, PASSPORT_PUBLIC_KEY: publicKey };
const clientTraceId = '0af7651916cd43dd8448eb211c80319c';

/** Starts the gateway and identity, with a user who has a token. */
async function startSystem(t: Test, nats: TestServer, given: Record<string, string> = {}) {
  const issuer = await startTokenIssuer(t);
  const { url, sql } = await testDatabase(t, resolvePath('services/identity/migrations'));
  const settings = {
    ...given,
    NATS_URL: nats.url,
    ...passportKeys,
    IDP_ISSUER: issuer.issuer,
    IDP_JWKS_URL: issuer.jwksUrl,
  };
  const identity = await startProcess(t, 'identity', { ...settings, DATABASE_URL: url });
  const gateway = await startProcess(t, 'gateway', { ...settings, IDENTITY_URL: identity.url });
  const authorization = `Bearer ${await issuer.token({ sub: 'trace-user', email: 'trace-user@lms.test', email_verified: true })}`;
  async function rename(firstName: string) {
    const response = await fetch(`${gateway.url}/api/auth/profile`, {
      method: 'PUT',
      headers: {
        authorization,
        'content-type': 'application/json',
        traceparent: `00-${clientTraceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ firstName }),
    });
    return { status: response.status, body: await response.text() };
  }
  return { rename, sql };
}

t.test('one trace contains the request, the outbox, NATS and the consumer', async (t) => {
  const collector = await startCollector(t);
  const nats = await startNats(t);
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  const { url } = await testDatabase(t, resolvePath('services/content/migrations'));
  const [{ rename }] = await Promise.all([
    startSystem(t, nats, settings),
    startProcess(t, 'content', { ...settings, ...passportKeys, NATS_URL: nats.url, DATABASE_URL: url }),
  ]);
  // On a busy machine the first request for the caller can take longer than its deadline: 503, in a trace of its own.
  await waitFor(async () => (await rename('Ada')).status === 200, { until: '200' });
  const find = (service: string, name: string, traceId?: string) =>
    waitFor(
      () =>
        collector.spans.find(
          (span) => span.service === service && span.name === name && (!traceId || span.traceId === traceId),
        ),
      {
        until: `${name} of ${service} among ${collector.spans.map((span) => `${span.service}: ${span.name}`)}`,
      },
    );

  const subject = 'lms.identity.user.updated.v1';
  const { traceId: ownTraceId } = await find('identity', `publish ${subject}`);
  const path = [
    await find('gateway', 'PUT /api/auth/profile', ownTraceId),
    await find('gateway', 'PUT identity', ownTraceId),
    await find('identity', 'PUT /api/auth/profile', ownTraceId),
    await find('identity', `publish ${subject}`, ownTraceId),
    await find('content', `process ${subject}`, ownTraceId),
  ];
  t.same(
    path.map(({ kind }) => kind),
    [2, 3, 2, 4, 5],
    'server, client, server, producer, consumer',
  );
  const parents: (Span | undefined)[] = [undefined, ...path];
  for (const [index, { name, service, traceId, parentSpanId }] of path.entries()) {
    t.equal(traceId, path[0]?.traceId, `${service}: ${name} belongs to the same trace`);
    t.equal(parentSpanId, parents[index]?.spanId, `${service}: ${name} has the right parent`);
  }
  t.not(path[0]?.traceId, clientTraceId, "the client's trace is not continued");
  t.same(path[0]?.links, [clientTraceId], 'the trace has a link to it');
  t.match(path[0]?.attributes, { 'http.route': '/api/auth/profile', 'http.response.status_code': 200 });

  const clientSpan = collector.spans.find(
    ({ service, name, traceId }) => service === 'gateway' && name.startsWith('request ') && traceId === ownTraceId,
  );
  const serverSpan = await find('identity', 'POST /internal/principals', ownTraceId);
  t.equal(clientSpan?.parentSpanId, path[0]?.spanId, 'the request for the principal belongs to the trace');
  t.equal(serverSpan.parentSpanId, clientSpan?.spanId);
  t.notMatch(JSON.stringify(collector.spans), /Ada|trace-user|Bearer/, 'the spans contain no personal data');
});

t.test('without a collector, the traceparent of a request is stored with its event', async (t) => {
  const { rename, sql } = await startSystem(t, await startNats(t));
  await waitFor(async () => (await rename('Ada')).status === 200, { until: '200' });
  const [row] = await sql`select traceparent from outbox where type = 'identity.user.updated'`;
  t.equal(row?.traceparent, `00-${clientTraceId}-b7ad6b7169203331-01`);
});
