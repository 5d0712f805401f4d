import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'local/databases';

/** The facts that writes create or change: the database that stores them, and the query of their keys and values. */
export const facts = {
  note: ['enrollment', 'select content as key from notes'],
  request: ['enrollment', 'select message as key from enrollments'],
  enrollment: ['enrollment', 'select id as key, status as value from enrollments'],
  topic: ['content', `select description as key from nodes where kind = 'topic'`],
  topicName: ['content', `select id as key, name as value from nodes where kind = 'topic'`],
  document: ['content', `select entry->>'name' as key from nodes, jsonb_array_elements(documents) entry`],
  film: ['content', `select id as key, video->'video'->>'fileName' as value from nodes where video is not null`],
  firstName: ['identity', 'select id as key, first_name as value from users'],
  application: ['identity', 'select motivation as key from mentor_applications'],
  review: ['identity', 'select id as key, status as value from mentor_applications'],
} satisfies Record<string, [Database, string]>;

export const present = 'present';
export const absent = 'absent';

/** What a write leaves behind: the fact named by `key` has `value`. */
export interface Write {
  fact: keyof typeof facts;
  key: string;
  /** `present` by default. */
  value?: string;
}

/** What the checks need to know about a request besides its response. */
interface Marks {
  write?: Write;
  /** The name of the file that is imported. */
  importOf?: string;
  /** The response must not contain protected content from this time on. */
  forbiddenFrom?: number;
}

export interface Call extends Marks {
  user?: User;
  /** POSTs of JSON are repeated with one Idempotency-Key until there is a response that is no server error. */
  json?: object;
  form?: FormData;
  /** The services that the request needs, instead of those of its route. */
  needs?: readonly string[];
}

export interface Entry extends Marks {
  user: string;
  /** Method and path. */
  request: string;
  /** The services that the request needs, and the gateway that it was sent to. */
  needs: readonly string[];
  startedAt: number;
  endedAt: number;
  /** 0 if there was no response. */
  status: number;
  /** `data` of the response, or its text. */
  data: unknown;
}

export interface User {
  id: string;
  email: string;
  identityProviderId: string;
  token: string;
}

/** The services that requests need besides the gateway and, of a user, identity. The first match counts. */
const routes: [RegExp, string[]][] = [
  [/ \/(auth|users|mentor|admin\/mentor)\//, []],
  [/\/(upload|video|documents)\b|^POST \/admin\/education\/imports/, ['content', 'media']],
  [/^GET \/(education\/topics|s3)\//, ['content', 'enrollment', 'media']],
  [/ \/(admin\/)?(enrollment|learning)\b/, ['content', 'enrollment']],
  [/ \/(admin\/)?education\//, ['content']],
];

/** @throws if no route matches */
function needsOf(request: string, user: User | undefined): string[] {
  const route = routes.find(([pattern]) => pattern.test(request));
  if (!route) throw new Error(`no services are known for ${request}`);
  return user ? ['identity', ...route[1]] : route[1];
}

const timeoutMs = 20_000;
const repeatForMs = 60_000;

export const isAcknowledged = ({ status }: Entry) => status >= 200 && status < 300;
/** Whether a request without a usable response may have had an effect. */
export const isUnknown = ({ status }: Entry) => status === 0 || status >= 500;
/** A field of the data of a response, or an empty string. */
export const fieldOf = ({ data }: Entry, name: string): string => String(Object(data)[name] ?? '');

export interface Gateway {
  /** The name of its process. */
  name: string;
  url: string;
}

export type Journal = ReturnType<typeof createJournal>;

/** Sends requests through both gateways in turn, also when it repeats them, and records each with its response. */
export function createJournal(gateways: readonly Gateway[]) {
  const entries: Entry[] = [];
  let sent = 0;

  async function attempt(request: string, call: Call, key: string | undefined): Promise<Entry> {
    const { user, json, form, needs, ...marks } = call;
    const [method = '', path] = request.split(' ');
    const gateway = gateways[sent % gateways.length];
    if (!gateway) throw new Error('there is no gateway');
    sent += 1;
    const startedAt = Date.now();
    const result = await fetch(`${gateway.url}/api${path}`, {
      method,
      headers: {
        ...(user && { authorization: `Bearer ${user.token}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      signal: AbortSignal.timeout(timeoutMs),
      body: form ?? (json ? JSON.stringify(json) : null),
    })
      .then(read)
      .catch((error: unknown) => ({ status: 0, data: String(error) }));
    const entry: Entry = {
      user: user?.email ?? 'anonymous',
      request,
      needs: needs ?? [gateway.name, ...needsOf(request, user)],
      startedAt,
      endedAt: Date.now(),
      ...result,
      ...marks,
    };
    entries.push(entry);
    return entry;
  }

  async function send(request: string, call: Call = {}): Promise<Entry> {
    const key = call.json && request.startsWith('POST') ? randomUUID() : undefined;
    const deadline = Date.now() + repeatForMs;
    for (;;) {
      const entry = await attempt(request, call, key);
      // 409 with the key: the first request is still running.
      const isRunning = entry.status === 409 && /still running/.test(String(entry.data));
      if (!key || !(isRunning || isUnknown(entry)) || Date.now() > deadline) return entry;
      await pause(250);
    }
  }

  /** Creates something with a POST, and returns its id, or an empty string. */
  const create = async (path: string, call: Call) => fieldOf(await send(`POST ${path}`, call), 'id');

  const contests: Entry[][] = [];
  return { entries, /** Decisions of two admins at the same time. */ contests, send, create };
}

async function read(response: Response): Promise<{ status: number; data: unknown }> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const { data }: { data?: unknown } = isJson ? JSON.parse(text) : {};
  return { status: response.status, data: data ?? text };
}
