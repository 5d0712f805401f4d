import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'local/databases';

/** What an import leaves behind: a level, a grade, a subject, and topics with one document each. */
export const importedTopics = [1, 2, 3];
const completeImport = `completed, ${3 + importedTopics.length} items, ${importedTopics.length} documents`;

/** The facts that writes create or change: the database that stores them, and the query of their keys and values. */
export const facts = {
  note: ['enrollment', 'select content as key from notes'],
  request: ['enrollment', 'select message as key from enrollments'],
  enrollment: ['enrollment', 'select id as key, status as value from enrollments'],
  topic: ['content', `select description as key from nodes where kind = 'topic'`],
  topicName: ['content', `select id as key, name as value from nodes where kind = 'topic'`],
  document: ['content', `select entry->>'name' as key from nodes, jsonb_array_elements(documents) entry`],
  film: ['content', `select id as key, video->'video'->>'fileName' as value from nodes where video is not null`],
  import: [
    'content',
    `select file_name as key, replace(concat_ws(', ', string_agg(distinct status, ' and '), count(n.id) || ' items',
      sum(jsonb_array_length(n.documents)) || ' documents'), '${completeImport}', 'present') as value
      from imports left join nodes n on n.description = file_name group by 1`,
  ],
  firstName: ['identity', 'select id as key, first_name as value from users'],
  application: ['identity', 'select motivation as key from mentor_applications'],
  review: ['identity', 'select id as key, status as value from mentor_applications'],
} satisfies Record<string, [Database, string]>;

export const present = 'present';
export const absent = 'absent';

let count = 0;
/** A text that no other write uses. */
export function unique(name: string): string {
  count += 1;
  return `${name} ${count}`;
}

export interface Call {
  user?: User;
  /** POSTs of JSON are repeated with one Idempotency-Key until there is a response that is no server error. */
  json?: object;
  form?: FormData;
  /** The services that the request needs, instead of those of its route. */
  needs?: readonly string[];
  /** What it leaves behind: the fact named by the key has the value, or is present, which it was not before. */
  write?: readonly [fact: keyof typeof facts, key: string, value?: string];
  /** The response must not contain protected content from this time on. */
  forbiddenFrom?: number;
}

/** A request and its response. */
export interface Entry extends Omit<Call, 'form'> {
  /** Method and path. */
  request: string;
  /** The services that it needs, and the gateway that it was sent to. */
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
  token: string;
}

/** A form with a file, and text fields before it. */
export function formOf(field: string, content: string | Buffer, fileName: string, texts: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  form.set(field, new Blob([content]), fileName);
  return form;
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

export type Journal = ReturnType<typeof createJournal>;

/** Sends requests through the gateways in turn, also when it repeats them, and records each with its response. */
export function createJournal(gateways: { name: string; url: string }[]) {
  const entries: Entry[] = [];
  /** Decisions of two admins at the same time. */
  const contests: Entry[][] = [];
  let sent = 0;

  async function attempt(request: string, { form, ...call }: Call, key?: string): Promise<Entry> {
    const { user, json } = call;
    const [method = '', path] = request.split(' ');
    const { name = '', url } = gateways[sent % gateways.length] ?? {};
    sent += 1;
    const startedAt = Date.now();
    const result = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(user && { authorization: `Bearer ${user.token}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      signal: AbortSignal.timeout(timeoutMs),
      body: form ?? (json ? JSON.stringify(json) : null),
    })
      .then(async (response) => ({ status: response.status, data: dataOf(await response.text()) }))
      .catch((error: unknown) => ({ status: 0, data: String(error) }));
    const entry = {
      needs: [name, ...needsOf(request, user)],
      ...call,
      request,
      startedAt,
      endedAt: Date.now(),
      ...result,
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

  return { entries, contests, send, create };
}

/** `data` of a response, or its text if it is no JSON. */
const dataOf = (text: string): unknown => (text.startsWith('{') ? (JSON.parse(text).data ?? text) : text);
