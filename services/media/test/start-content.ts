import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createServiceTokens } from '@lms/auth/service-tokens';
import type { DocumentEntry, TopicVideo, TopicVideoChange } from '@lms/contracts/internal/content';
import { type Principal, passportHeader, serviceTokenHeader } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { testServiceSecret } from '@lms/testing/principals';
import type { Test } from 'tap';

export interface Topic {
  id: string;
  mentorId: string | null;
  enrolled: Set<string>;
  /** The end of the enrollments. */
  expiresAt: string | null;
  video: TopicVideo | null;
  documents: DocumentEntry[];
}

interface ReceivedRequest {
  method: string;
  path: string;
}

/** The state of a topic in the event of its purge. */
export function purgedTopic({ id, video, documents }: Topic) {
  const now = new Date().toISOString();
  return {
    id,
    subjectId: createId(),
    name: 'Gone',
    description: '',
    position: 0,
    isActive: false,
    deletedAt: now,
    createdAt: now,
    updatedAt: now,
    video: video?.video ?? null,
    documents,
  };
}

/** A server with content's internal routes for topics. It does not verify passports. */
export async function startContent(t: Test) {
  const topics = new Map<string, Topic>();
  const requests: ReceivedRequest[] = [];
  /** May respond itself, before or after it applies the request; returns whether it did. */
  let intercept: (request: ReceivedRequest, apply: () => Promise<void>, response: ServerResponse) => Promise<boolean> =
    async () => false;

  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/' } = request;
    const body: unknown = JSON.parse((await text(request)) || 'null');
    requests.push({ method, path });
    const apply = async () => void respond(method, path, body, principalOf(request));
    if (await intercept({ method, path }, apply, response)) return;
    const { status, json } = respond(method, path, body, principalOf(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });

  function respond(method: string, path: string, body: unknown, caller: Principal | null) {
    const [, id = '', what = '', documentId] =
      /^\/internal\/topics\/(\w+)\/(\w+)(?:\/(\w+))?$/.exec(path.split('?')[0] ?? '') ?? [];
    const topic = topics.get(id);
    const manage = caller !== null && (caller.roles.includes('ADMIN') || topic?.mentorId === caller.userId);
    if (!topic) return fail(404, 'NOT_FOUND');
    if (what === 'access') {
      const granted = manage || (caller !== null && topic.enrolled.has(caller.userId));
      const reason = granted ? null : caller ? 'ENROLLMENT_REQUIRED' : 'AUTHENTICATION_REQUIRED';
      return ok({ topicId: id, subjectId: id, read: { granted, reason, expiresAt: topic.expiresAt }, manage });
    }
    if (!manage) return fail(403, 'FORBIDDEN');
    if (path.endsWith('/video/state')) {
      const change = asIs<TopicVideoChange>(body);
      const changed = topic.video?.video.id === change.video.id && (topic.video.version ?? 0) < change.version;
      if (topic.video && changed) topic.video = { ...topic.video, ...change };
      return ok({ topicId: id, changed });
    }
    if (what === 'video') {
      const previous = topic.video;
      if (method === 'DELETE' && !previous) return fail(404, 'NOT_FOUND', 'Video not found');
      topic.video = method === 'DELETE' ? null : asIs<TopicVideo>(body);
      return ok({ topicId: id, previous });
    }
    if (method === 'POST') {
      const entry = asIs<DocumentEntry>(body);
      topic.documents = [...topic.documents.filter((other) => other.id !== entry.id), entry];
      return ok(entry, 201);
    }
    const entry = topic.documents.find((other) => other.id === documentId);
    if (!entry) return fail(404, 'NOT_FOUND', 'Document not found');
    topic.documents = topic.documents.filter((other) => other.id !== documentId);
    return ok(entry);
  }

  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    topics,
    intercept(handler: typeof intercept) {
      intercept = handler;
    },
    stopIntercepting() {
      intercept = async () => false;
    },
    addTopic(given: Partial<Topic> = {}): Topic {
      const topic = {
        id: createId(),
        mentorId: null,
        enrolled: new Set<string>(),
        expiresAt: null,
        video: null,
        documents: [],
        ...given,
      };
      topics.set(topic.id, topic);
      return topic;
    },
    /** Stops the server, as during an outage of content. */
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const ok = (data: unknown, status = 200) => ({ status, json: { success: true, data } });
const fail = (status: number, code: string, error = 'Failed') => ({
  status,
  json: { success: false, error, code, requestId: '' },
});

function principalOf(request: IncomingMessage): Principal | null {
  const token = request.headers[serviceTokenHeader];
  if (typeof token === 'string') return createServiceTokens(testServiceSecret).verify(token, true);
  const passport = request.headers[passportHeader];
  const payload = typeof passport === 'string' ? passport.split('.')[1] : undefined;
  return payload ? JSON.parse(Buffer.from(payload, 'base64url').toString()).principal : null;
}

// The types of media guarantee the shape of its requests.
const asIs = <T>(body: unknown): T => body as T;
