import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { InternalSubject } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { createServiceClient } from '@lms/service/service-client';
import { emptyDatabase, testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp } from '../src/app.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
export const silent = pino({ level: 'silent' });

/**
 * A local HTTP server in place of another service. Responds with what `find` returns, and with a 404 that names the
 * resource for undefined.
 */
async function startPeerService(t: Test, resource: string, find: (path: string[], body: unknown) => unknown) {
  const requests: string[] = [];
  let held = Promise.resolve();
  const server = createServer(async (request, response) => {
    requests.push(request.url ?? '');
    await held;
    const body = request.method === 'POST' ? await json(request) : undefined;
    const data = find((request.url ?? '').split('/').slice(2), body);
    response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        data === undefined
          ? { success: false, error: `${resource} not found`, code: 'NOT_FOUND', requestId: 'peer-request' }
          : { success: true, data },
      ),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  t.teardown(stop);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  // Longer than in production: on a busy machine a response may take seconds.
  const client = createServiceClient(url, { timeoutMs: 30_000 });
  t.teardown(client.close);
  /** Delays all responses until the returned function is called. */
  function holdResponses() {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }
  return { client, requests, stop, holdResponses, url };
}

interface Topic {
  id: string;
  name: string;
  position: number;
  subjectId: string;
}

/** A content service with the given subjects and topics. */
async function startContent(t: Test) {
  const subjects = new Map<string, InternalSubject>();
  const topics = new Map<string, Topic>();
  const hidden = new Set<string>();
  const idsByExternalId = new Map<string, string>();
  const topicsOf = (subject: string) =>
    [...topics.values()]
      .filter(({ id, subjectId }) => subjectId === subject && !hidden.has(id))
      .sort((a, b) => a.position - b.position);

  const server = await startPeerService(t, 'Subject', ([kind, id = '', relation], body) => {
    if (id === 'lookup') {
      const { ids, externalIds }: { ids: string[]; externalIds: string[] } = Object(body);
      return {
        byId: ids.map((id) => subjects.get(id) ?? null),
        byExternalId: externalIds.map((name) => subjects.get(idsByExternalId.get(name) ?? '') ?? null),
      };
    }
    if (kind === 'subjects') {
      const subject = subjects.get(id);
      return relation === 'topics' ? subject && topicsOf(id) : subject;
    }
    const topic = topics.get(id);
    return (
      topic && {
        topicId: id,
        subjectId: topic.subjectId,
        read: { granted: true, reason: null },
        manage: hidden.has(id),
      }
    );
  });
  return {
    ...server,
    addSubject(given: Partial<InternalSubject> = {}): InternalSubject {
      const subject = { id: createId(), name: 'Algebra', gradeId: createId(), mentorId: null, isLive: true, ...given };
      subjects.set(subject.id, subject);
      return subject;
    },
    nameSubject: (id: string, externalId: string) => idsByExternalId.set(externalId, id),
    addTopic(subjectId: string, position = topicsOf(subjectId).length): Topic {
      const topic = { id: createId(), name: `Topic ${position}`, position, subjectId };
      topics.set(topic.id, topic);
      return topic;
    },
    /** The topic is not live any more, but callers may manage it. */
    hideTopic: (id: string) => hidden.add(id),
    removeTopic: (id: string) => topics.delete(id),
  };
}

const isVerified = ({ emailVerified }: Principal) => emailVerified;
const toFoundUser = (user: Principal | undefined) => (user === undefined ? null : { ...user, id: user.userId });

/** An identity service with the given users. */
async function startIdentity(t: Test) {
  const principals = new Map<string, Principal>();
  const server = await startPeerService(t, 'User', ([, id = ''], body) => {
    if (id !== 'lookup') return principals.get(id);
    const { ids, emails }: { ids: string[]; emails: string[] } = Object(body);
    const verified = new Map([...principals.values()].filter(isVerified).map((user) => [user.email, user]));
    return {
      byId: ids.map((id) => toFoundUser(principals.get(id))),
      byEmail: emails.map((email) => toFoundUser(verified.get(email.toLowerCase()))),
    };
  });
  return {
    ...server,
    add(principal: Principal): Principal {
      principals.set(principal.userId, principal);
      return principal;
    },
  };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Builds the app with its own database, next to local servers in place of content and identity. */
export async function startTestService(t: Test) {
  const [database, content, identity] = await Promise.all([
    testDatabase(t, migrations),
    startContent(t),
    startIdentity(t),
  ]);
  const app = await buildApp({
    logger: silent,
    database,
    passportKey: testPassportKey,
    content: content.client,
    identity: identity.client,
    notifyRelay: () => undefined,
  });
  t.teardown(() => app.close());

  async function call(principal: Principal | null, method: Method, url: string, payload?: unknown, headers = {}) {
    const json = payload === undefined ? {} : { 'content-type': 'application/json' };
    const response = await app.inject({
      method,
      url,
      headers: { ...json, ...(principal && passportHeaders(principal)), ...headers },
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    });
    const { data, pagination, ...body } = response.json();
    return { status: response.statusCode, headers: response.headers, data, pagination, body };
  }

  const admin = testPrincipal(['ADMIN']);
  /** Requests an enrollment as a learner. */
  async function request(subjectId: string, learner = testPrincipal(), message?: string) {
    const body = { subjectId, ...(message !== undefined && { message }) };
    const { data } = await call(learner, 'POST', '/api/enrollment/request', body);
    return { learner, enrollment: data };
  }
  return {
    app,
    database,
    content,
    identity,
    admin,
    call,
    request,

    /** Requests an enrollment as a learner and approves it. */
    async enroll(subjectId: string, learner = testPrincipal(), given: { expiresAt?: string } = {}) {
      const { enrollment } = await request(subjectId, learner);
      const { data } = await call(admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/approve`, given);
      return { learner, enrollment: data };
    },

    /** Sets `expiresAt` to a time in the past. */
    async letExpire(id: string) {
      await database.sql`update enrollments set expires_at = now() - interval '1 second' where id = ${id}`;
    },

    hasAccess: async (learner: Principal, subjectId: string) =>
      (await call(learner, 'GET', `/internal/subjects/${subjectId}/access`)).data.granted,
  };
}

/**
 * Starts a service for the tests of a file. The returned function empties its database, for the next test. Tests that stop
 * or delay another service start their own.
 */
export async function shareTestService(t: Test) {
  const service = await startTestService(t);
  return async () => {
    await emptyDatabase(service.database);
    service.content.requests.length = 0;
    service.identity.requests.length = 0;
    return service;
  };
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;
