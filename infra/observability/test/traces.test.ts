import { generateKeyPairSync } from 'node:crypto';
import { testDatabase } from '@lms/testing/database';
import { startNats } from '@lms/testing/servers';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type Span, startCollector } from './collector.ts';
import { startProcess } from './processes.ts';
import { locate } from './read-queries.ts';

const keys = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const theirs = '0af7651916cd43dd8448eb211c80319c';

/** Gateway, identity and content as they are deployed, and who may come in. */
async function startSystem(t: Test, given: Record<string, string>) {
  const nats = await startNats(t);
  const issuer = await startTokenIssuer(t);
  const databases = {
    identity: await testDatabase(t, locate('services/identity/migrations')),
    content: await testDatabase(t, locate('services/content/migrations')),
  };
  const settings = {
    ...given,
    NATS_URL: nats.url,
    PASSPORT_PRIVATE_KEY: keys.privateKey,
    PASSPORT_PUBLIC_KEY: keys.publicKey,
    IDP_ISSUER: issuer.issuer,
    IDP_JWKS_URL: issuer.jwksUrl,
  };
  const [identity] = await Promise.all([
    startProcess(t, 'identity', { ...settings, DATABASE_URL: databases.identity.url }),
    startProcess(t, 'content', { ...settings, DATABASE_URL: databases.content.url }),
  ]);
  const gateway = await startProcess(t, 'gateway', { ...settings, IDENTITY_URL: identity.url });
  const authorization = `Bearer ${await issuer.token({ sub: 'somebody', email: 'somebody@lms.test', email_verified: true })}`;
  async function rename(firstName: string) {
    const answer = await fetch(`${gateway.url}/api/auth/profile`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json', traceparent: `00-${theirs}-b7ad6b7169203331-01` },
      body: JSON.stringify({ firstName }),
    });
    return { status: answer.status, body: await answer.text() };
  }
  return { rename, databases };
}

t.test('one trace leads from the request through the outbox and NATS to whoever hears of it', async (t) => {
  const collector = await startCollector(t);
  const { rename } = await startSystem(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  t.match(await rename('Ada'), { status: 200 });
  const find = (service: string, name: string) =>
    waitFor(() => collector.spans.find((span) => span.service === service && span.name === name), {
      until: `${name} of ${service} among ${collector.spans.map((span) => `${span.service}: ${span.name}`)}`,
      timeoutMs: 20_000,
    });

  const subject = 'lms.identity.user.updated.v1';
  const way = [
    await find('gateway', 'PUT /api/auth/profile'),
    await find('gateway', 'PUT identity'),
    await find('identity', 'PUT /api/auth/profile'),
    await find('identity', `publish ${subject}`),
    await find('content', `process ${subject}`),
  ];
  t.same(
    way.map(({ kind }) => kind),
    [2, 3, 2, 4, 5],
    'server, client, server, producer, consumer',
  );
  const parents: (Span | undefined)[] = [undefined, ...way];
  for (const [index, { name, service, traceId, parentSpanId }] of way.entries()) {
    t.equal(traceId, way[0]?.traceId, `${service}: ${name} is of the same trace`);
    t.equal(parentSpanId, parents[index]?.spanId, `${service}: ${name} has the right parent`);
  }
  t.not(way[0]?.traceId, theirs, "a stranger's trace is not continued");
  t.same(way[0]?.links, [theirs], 'it is linked to');
  t.match(way[0]?.attributes, { 'http.route': '/api/auth/profile', 'http.response.status_code': 200 });

  const question = collector.spans.find(({ service, name }) => service === 'gateway' && name.startsWith('request '));
  const answer = await find('identity', 'POST /internal/principals');
  t.equal(question?.parentSpanId, way[0]?.spanId, 'who is asking was found out within the request');
  t.equal(answer.parentSpanId, question?.spanId);
  t.notMatch(JSON.stringify(collector.spans), /Ada|somebody|Bearer/, 'nothing of anybody is in it');
});

t.test('where nobody records, the trace that a request came with is still told with its event', async (t) => {
  const { rename, databases } = await startSystem(t, {});
  t.match(await rename('Ada'), { status: 200 });
  const [row] = await databases.identity.sql`select traceparent from outbox where type = 'identity.user.updated'`;
  t.equal(row?.traceparent, `00-${theirs}-b7ad6b7169203331-01`);
});
