import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface User {
  id: string;
  email: string;
  token: string;
}

interface Call {
  /** POSTs of JSON are repeated with one Idempotency-Key until there is a response that is no server error. */
  json?: object;
  form?: FormData;
  /** What it leaves behind: the fact named by the key has the value, or is present, which it was not before. */
  write?: readonly [fact: string, key: string, value?: string];
  /** The name that decisions of two admins at the same time share. */
  contest?: string;
  /** The response must not contain protected content from this time on. */
  forbiddenFrom?: number;
}

interface Result {
  /** 0 if there was no response. */
  status: number;
  /** `data` of the response, or its text. */
  data: unknown;
  endedAt: number;
}

let count = 0;
/** A text that no other write uses. */
export function unique(name: string): string {
  count += 1;
  return `${name} ${count}`;
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

export const isAcknowledged = ({ status }: Result) => status >= 200 && status < 300;
/** A field of the data of a response, or an empty string. */
export const fieldOf = ({ data }: Result, name: string): string => String(Object(data)[name] ?? '');

export type Journal = ReturnType<typeof createJournal>;

/** Sends requests through the gateways in turn, also when it repeats them, and records each with its response. */
export function createJournal(gateways: { name: string; url: string }[], slowMs: number) {
  /** Rows of the table `journal`. */
  const entries: object[] = [];
  let sent = 0;

  async function attempt(
    user: User | undefined,
    request: string,
    call: Call,
    idempotencyKey?: string,
  ): Promise<Result> {
    const { json, form, write: [fact, key, value = 'present'] = [], contest, forbiddenFrom } = call;
    const [method = '', path] = request.split(' ');
    const { name = '', url } = gateways[sent % gateways.length] ?? {};
    sent += 1;
    const startedAt = Date.now();
    const { status, text } = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(user && { authorization: `Bearer ${user.token}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      signal: AbortSignal.timeout(timeoutMs),
      body: form ?? (json ? JSON.stringify(json) : null),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: unknown) => ({ status: 0, text: String(error) }));
    const endedAt = Date.now();
    const data = text.startsWith('{') ? (JSON.parse(text).data ?? text) : text;
    const { access, content } = Object(data);
    entries.push({
      ...{ request, email: user?.email, status, response: text.slice(0, 200), started: startedAt, ended: endedAt },
      ...{ fact, key, value, contest, forbidden_from: forbiddenFrom },
      needs: [name, ...needsOf(request, user)],
      is_slow: endedAt - startedAt > slowMs,
      // Other responses than those with the content of a topic contain the bytes of a document.
      is_disclosed: status === 200 && (request.includes('/s3/') || access?.granted !== false || content !== null),
    });
    return { status, data, endedAt };
  }

  async function send(user: User | undefined, request: string, call: Call = {}): Promise<Result> {
    const key = call.json && request.startsWith('POST') ? randomUUID() : undefined;
    const deadline = Date.now() + repeatForMs;
    for (;;) {
      const result = await attempt(user, request, call, key);
      const { status, data } = result;
      // 409 with the key: the first request is still running.
      const isRunning = status === 409 && /still running/.test(String(data));
      if (!key || !(isRunning || status === 0 || status >= 500) || Date.now() > deadline) return result;
      await pause(250);
    }
  }

  /** Creates something with a POST, and returns its id, or an empty string. */
  const create = async (user: User, path: string, call: Call) => fieldOf(await send(user, `POST ${path}`, call), 'id');

  return { entries, send, create };
}
