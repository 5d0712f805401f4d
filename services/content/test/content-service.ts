import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Principal } from '@lms/contracts/passport';
import type { Database, Db } from '@lms/database/connect';
import { createServiceClient, type ServiceClient } from '@lms/service/service-client';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp } from '../src/app.ts';
import { createEntitlement } from '../src/entitlement/create-entitlement.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

export const admin = testPrincipal(['ADMIN', 'LEARNER']);

// Connects only when it is used.
const nowhere = createServiceClient('http://127.0.0.1:9');

/** A small HTTP server in the place of another service; it sends the response that was set for the path. */
export async function startPeerService(t: Test) {
  const responses = new Map<string, { status: number; body: unknown }>();
  const requests: string[] = [];
  const delays = new Map<string, Promise<void>>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const stored = responses.get(path);
    requests.push(path);
    await delays.get(path);
    const { status, body } = stored ?? {
      status: 404,
      body: { success: false, code: 'NOT_FOUND', error: 'x' },
    };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  // Longer than in production: on a busy machine a response may take seconds.
  const client = createServiceClient(`http://127.0.0.1:${address.port}`, { timeoutMs: 30_000 });
  t.teardown(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    client,
    requests,
    /** Delays responses, which stay as set when the request arrived. @returns a function that releases them */
    delay(path: string) {
      let release = () => {};
      delays.set(path, new Promise<void>((resolve) => (release = resolve)));
      return () => {
        delays.delete(path);
        release();
      };
    },
    respondWith: (path: string, data: unknown) => responses.set(path, { status: 200, body: { success: true, data } }),
    failWith: (path: string, status: number) =>
      responses.set(path, { status, body: { success: false, code: 'SERVICE_UNAVAILABLE', error: 'x' } }),
  };
}

interface ContentOptions {
  /** Without one, requests to media fail. */
  media?: ServiceClient;
  contentIsPublic?: boolean;
  readerIdleMs?: number;
  /** Replaces the database's own drizzle instance. */
  db?: Db;
  /** The database and peers of another instance. */
  sharedWith?: {
    database: Database & { url: string };
    enrollment: Awaited<ReturnType<typeof startPeerService>>;
    identity: Awaited<ReturnType<typeof startPeerService>>;
  };
}

/** The content service with its own database and peer services. */
export async function startContent(
  t: Test,
  { contentIsPublic = false, db, sharedWith, media = nowhere, readerIdleMs }: ContentOptions = {},
) {
  const database = sharedWith?.database ?? (await testDatabase(t, migrations));
  const enrollment = sharedWith?.enrollment ?? (await startPeerService(t));
  const identity = sharedWith?.identity ?? (await startPeerService(t));
  const entitlement = createEntitlement(enrollment.client);
  const app = await buildApp({
    logger: pino({ level: 'silent' }),
    database: { ...database, ...(db && { db }) },
    passportKey: testPassportKey,
    serviceSecret: testServiceSecret,
    entitlement,
    identity: identity.client,
    media,
    mediaDownloads: media,
    ...(readerIdleMs && { readerIdleMs }),
    notifyRelay: () => undefined,
    contentIsPublic,
    publicUrl: 'https://lms.test',
  });
  t.teardown(() => app.close());

  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    { as = null, body, headers = {} }: { as?: Principal | null; body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const response = await app.inject({
      method,
      url,
      headers: { ...(as && passportHeaders(as)), ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json', ...(as && passportHeaders(as)), ...headers },
      }),
    });
    return {
      status: response.statusCode,
      json: response.body === '' ? null : response.json(),
      headers: response.headers,
    };
  };

  /** Creates an item as an administrator and returns it. */
  async function create(type: string, fields: Record<string, unknown>) {
    const { status, json } = await call('POST', `/api/admin/education/${type}`, { as: admin, body: fields });
    if (status !== 201) throw new Error(`creating ${type} returned ${status}: ${JSON.stringify(json)}`);
    return json.data;
  }

  let branchCount = 0;
  /** Creates a new level with a grade, a subject and a topic. */
  async function createBranch(given: { subject?: Record<string, unknown>; topic?: Record<string, unknown> } = {}) {
    branchCount += 1;
    const level = await create('levels', { name: `Level ${branchCount}`, description: 'A level' });
    const grade = await create('grades', { name: 'Grade', level: 'primary', educationLevelId: level.id });
    const subject = await create('subjects', {
      name: 'Algebra',
      description: 'Numbers',
      gradeId: grade.id,
      ...given.subject,
    });
    const topic = await create('topics', {
      name: 'Sums',
      description: 'Adding',
      content: 'One and one is two',
      subjectId: subject.id,
      ...given.topic,
    });
    return { level, grade, subject, topic };
  }

  const enroll = (subjectId: string, granted = true) =>
    enrollment.respondWith(`/internal/subjects/${subjectId}/access`, { subjectId, granted, expiresAt: null });

  return { app, database, call, create, createBranch, enroll, enrollment, identity, entitlement };
}
