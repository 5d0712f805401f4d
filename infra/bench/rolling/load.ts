import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, FormData, request } from 'undici';

export interface Failure {
  name: string;
  reason: string;
  during: string;
}

interface LoadRequest {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string;
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** The expected length of the response body. */
  bytes?: number;
}

/** Sends the requests of concurrent clients; every response other than the expected one is a failure. */
export function createLoad(gateway: string, during: () => string) {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000, connections: 64 });
  const failures: Failure[] = [];
  const counts = new Map<string, number>();
  const durations: number[] = [];
  let running = true;

  async function send(name: string, { method = 'GET', path, token, body, form, headers = {}, bytes }: LoadRequest) {
    const startedAt = performance.now();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    try {
      const response = await request(`${gateway}/api${path}`, {
        method,
        dispatcher,
        headers: {
          ...headers,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: form ?? (body === undefined ? null : JSON.stringify(body)),
      });
      const text = Buffer.from(await response.body.arrayBuffer());
      durations.push(performance.now() - startedAt);
      if (response.statusCode >= 300) recordFailure(name, `${response.statusCode} ${text.toString().slice(0, 200)}`);
      if (bytes !== undefined && text.length !== bytes) recordFailure(name, `${text.length} bytes instead of ${bytes}`);
    } catch (error) {
      recordFailure(name, error instanceof Error ? `${error.name} ${error.message}` : String(error));
    }
  }
  const recordFailure = (name: string, reason: string) => void failures.push({ name, reason, during: during() });

  return {
    send,
    failures,
    counts,
    durations,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    /** Repeats a round of requests until the end, with a pause after each. */
    async repeat(round: () => Promise<unknown>, pauseMs: number) {
      while (running) {
        await round();
        await pause(pauseMs);
      }
    },
    async end(repeat: Promise<unknown>[]) {
      running = false;
      await Promise.all(repeat);
      await dispatcher.close();
    },
  };
}
export type Load = ReturnType<typeof createLoad>;

/** The form of a document upload, as a browser sends it. */
export function documentForm(topicId: string, size: number): FormData {
  const form = new FormData();
  form.set('topicId', topicId);
  form.set('metadata', JSON.stringify({ name: 'Exercises' }));
  form.set('file', new Blob([randomBytes(size)]), 'exercises.bin');
  return form;
}
