import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface User {
  email: string;
  token: string;
  id: string;
  identityProviderId: string;
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

const timeoutMs = 20_000;
const repeatForMs = 60_000;

export type Journal = ReturnType<typeof createJournal>;

/** Sends requests through the gateways in turn, also when it repeats them, and records each with its response. */
export function createJournal(gateways: Record<string, string>, slowMs: number) {
  /** Rows of the table `journal`. */
  const entries: object[] = [];
  const turns = Object.entries(gateways);
  let sent = 0;

  async function attempt(user: User | undefined, request: string, call: Call, idempotencyKey?: string) {
    const { json, form, write: [fact, key, value = 'present'] = [], contest, forbiddenFrom } = call;
    const [method = '', path] = request.split(' ');
    const [gateway = '', url] = turns[sent % turns.length] ?? [];
    sent += 1;
    const needs = routes.find(([pattern]) => pattern.test(request))?.[1];
    if (!needs) throw new Error(`no services are known for ${request}`);
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
    const data = text.startsWith('{') ? Object(JSON.parse(text).data) : {};
    const { access, content } = data;
    entries.push({
      ...{ request, email: user?.email, status, response: text.slice(0, 200), started: startedAt, ended: endedAt },
      ...{ fact, key, value, contest, forbidden_from: forbiddenFrom },
      needs: [gateway, ...(user ? ['identity'] : []), ...needs],
      is_slow: endedAt - startedAt > slowMs,
      // Other responses than those with the content of a topic contain the bytes of a document.
      is_disclosed: status === 200 && (request.includes('/s3/') || access?.granted !== false || content !== null),
    });
    // Steps use the texts among them.
    const fields: Record<string, string | undefined> = data;
    return { status, isAcknowledged: status >= 200 && status < 300, text, data: fields, endedAt };
  }

  async function send(user: User | undefined, request: string, call: Call = {}) {
    const key = call.json && request.startsWith('POST') ? randomUUID() : undefined;
    const deadline = Date.now() + repeatForMs;
    for (;;) {
      const result = await attempt(user, request, call, key);
      // 409 with the key: the first request is still running.
      const isRunning = result.status === 409 && result.text.includes('still running');
      const hasFailed = result.status === 0 || result.status >= 500;
      if (!key || !(isRunning || hasFailed) || Date.now() > deadline) return result;
      await pause(250);
    }
  }

  return { entries, send };
}
