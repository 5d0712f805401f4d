import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, FormData, request } from 'undici';

export interface Failure {
  what: string;
  why: string;
  during: string;
}

interface Ask {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string;
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** How many bytes an answer must have, where it is known. */
  bytes?: number;
}

/** People at work, each with one request after the other; everything that is not answered as it should be is a failure. */
export function createLoad(gateway: string, during: () => string) {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000, connections: 64 });
  const failures: Failure[] = [];
  const counts = new Map<string, number>();
  const took: number[] = [];
  let working = true;

  async function ask(what: string, { method = 'GET', path, token, body, form, headers = {}, bytes }: Ask) {
    const startedAt = performance.now();
    counts.set(what, (counts.get(what) ?? 0) + 1);
    try {
      const answer = await request(`${gateway}/api${path}`, {
        method,
        dispatcher,
        headers: {
          ...headers,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: form ?? (body === undefined ? null : JSON.stringify(body)),
      });
      const text = Buffer.from(await answer.body.arrayBuffer());
      took.push(performance.now() - startedAt);
      if (answer.statusCode >= 300) note(what, `${answer.statusCode} ${text.toString().slice(0, 200)}`);
      if (bytes !== undefined && text.length !== bytes) note(what, `${text.length} bytes instead of ${bytes}`);
    } catch (error) {
      note(what, error instanceof Error ? `${error.name} ${error.message}` : String(error));
    }
  }
  const note = (what: string, why: string) => void failures.push({ what, why, during: during() });

  return {
    ask,
    failures,
    counts,
    took,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    /** Repeats a round of requests until the end, with a breath between two. */
    async work(round: () => Promise<unknown>, breathMs: number) {
      while (working) {
        await round();
        await pause(breathMs);
      }
    },
    async end(work: Promise<unknown>[]) {
      working = false;
      await Promise.all(work);
      await dispatcher.close();
    },
  };
}
export type Load = ReturnType<typeof createLoad>;

/** A document of some weight, as a browser would send it. */
export function documentForm(topicId: string, size: number): FormData {
  const form = new FormData();
  form.set('topicId', topicId);
  form.set('metadata', JSON.stringify({ name: 'Exercises' }));
  form.set('file', new Blob([randomBytes(size)]), 'exercises.bin');
  return form;
}
