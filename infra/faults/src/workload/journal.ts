import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'local/databases';

/** The facts that writes create or change. `owner` is the database that stores them. */
export const facts = {
  note: { owner: 'enrollment', sql: `select content as key, 'present' as value from notes` },
  request: { owner: 'enrollment', sql: `select message as key, 'present' as value from enrollments` },
  enrollment: { owner: 'enrollment', sql: 'select id as key, status as value from enrollments' },
  topic: { owner: 'content', sql: `select description as key, 'present' as value from nodes where kind = 'topic'` },
  topicName: { owner: 'content', sql: `select id as key, name as value from nodes where kind = 'topic'` },
  document: {
    owner: 'content',
    sql: `select entry->>'name' as key, 'present' as value from nodes, jsonb_array_elements(documents) as entry`,
  },
  film: {
    owner: 'content',
    sql: `select id as key, video->'video'->>'fileName' as value from nodes where video is not null`,
  },
  firstName: { owner: 'identity', sql: 'select id as key, first_name as value from users' },
  application: { owner: 'identity', sql: `select motivation as key, 'present' as value from mentor_applications` },
  review: { owner: 'identity', sql: 'select id as key, status as value from mentor_applications' },
} satisfies Record<string, { owner: Database; sql: string }>;
export type Fact = keyof typeof facts;

export const absent = 'absent';
export const present = 'present';

/** What a write leaves behind: the fact named by `key` has `value`. */
export interface Write {
  fact: Fact;
  key: string;
  value: string;
  /** Two admins decide the same thing at the same time. */
  isContest?: boolean;
}

/** What the checks need to know about a request besides its response. */
interface Marks {
  write?: Write;
  /** The name of the file that is imported. */
  importOf?: string;
  /** The response must not contain protected content from this time on. */
  forbiddenFrom?: number;
}

export interface Entry extends Marks {
  user: string;
  method: string;
  path: string;
  /** The services that the request needs, and the gateway that it was sent to. */
  needs: readonly string[];
  startedAt: number;
  endedAt: number;
  /** How long processes have waited for a processor in this time. */
  waitMs: number;
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

export interface Call extends Marks {
  user?: User;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The services that the request needs, instead of those of its route. */
  needs?: readonly string[];
  json?: unknown;
  form?: FormData;
  /** Repeats the request with one Idempotency-Key until there is a response that is no server error. */
  repeat?: boolean;
}

/** The services that requests need besides identity, which every request needs. The first match counts. */
const routes: [RegExp, string[]][] = [
  [/ \/(auth|users|mentor|admin\/mentor)\//, []],
  [/\/(upload|video|documents)\b|^POST \/admin\/education\/imports/, ['content', 'media']],
  [/^GET \/(education\/topics|s3)\//, ['content', 'enrollment', 'media']],
  [/ \/(admin\/)?(enrollment|learning)\b/, ['content', 'enrollment']],
  [/ \/(admin\/)?education\//, ['content']],
];

/** @throws if no route matches */
function needsOf({ method = 'GET', path, user }: Call): string[] {
  const route = routes.find(([pattern]) => pattern.test(`${method} ${path}`));
  if (!route) throw new Error(`no services are known for ${method} ${path}`);
  return ['gateway', ...(user ? ['identity'] : []), ...route[1]];
}

const timeoutMs = 20_000;
const repeatForMs = 60_000;

export const isAcknowledged = ({ status }: Entry) => status >= 200 && status < 300;
/** Whether a request without a usable response may have had an effect. */
export const isUnknown = ({ status }: Entry) => status === 0 || status >= 500;

export type Journal = ReturnType<typeof createJournal>;

export interface Gateway {
  /** The name of its process. */
  name: string;
  url: string;
}

/** Sends requests through each gateway in turn, also when it repeats them, and records each with its response. */
export function createJournal(gateways: readonly Gateway[]) {
  const entries: Entry[] = [];
  let sent = 0;

  function nextGateway(): Gateway {
    const gateway = gateways[sent % gateways.length];
    if (!gateway) throw new Error('there is no gateway');
    sent += 1;
    return gateway;
  }

  async function attempt(call: Call, headers: Record<string, string>): Promise<Entry> {
    const { user, method = 'GET', path, needs = needsOf(call), json, form, repeat: _, ...marks } = call;
    const gateway = nextGateway();
    const startedAt = Date.now();
    const waitedMs = processorWaitMs();
    const result = await fetch(new URL(`/api${path}`, gateway.url), {
      method,
      headers: {
        ...headers,
        ...(user && { authorization: `Bearer ${user.token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(timeoutMs),
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
    }).then(read, (error: unknown) => ({ status: 0, data: String(error) }));
    const entry: Entry = {
      user: user?.email ?? 'anonymous',
      method,
      path,
      needs: needs.map((part) => (part === 'gateway' ? gateway.name : part)),
      startedAt,
      endedAt: Date.now(),
      waitMs: processorWaitMs() - waitedMs,
      ...result,
      ...marks,
    };
    entries.push(entry);
    return entry;
  }

  return {
    entries,
    async send(call: Call): Promise<Entry> {
      const headers: Record<string, string> = call.repeat ? { 'idempotency-key': randomUUID() } : {};
      const deadline = Date.now() + repeatForMs;
      let entry = await attempt(call, headers);
      // 409 with the key: the first request is still running.
      while (call.repeat && (isUnknown(entry) || isRunning(entry)) && Date.now() < deadline) {
        await pause(250);
        entry = await attempt(call, headers);
      }
      return entry;
    },
  };
}

const isRunning = ({ status, data }: Entry) => status === 409 && /still running/.test(String(data));

async function read(response: Response): Promise<{ status: number; data: unknown }> {
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return { status: 0, data: 'the response broke off' };
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const { data }: { data?: unknown } = isJson ? JSON.parse(text) : {};
  return { status: response.status, data: data ?? text };
}

/** A field of the data of a response. */
export const fieldOf = (entry: Entry, name: string): string => String(Object(entry.data)[name] ?? '');

/** For how many milliseconds some process has waited for a processor since the system was started; 0 if the kernel does not say. */
function processorWaitMs(): number {
  try {
    return Number(/^some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
