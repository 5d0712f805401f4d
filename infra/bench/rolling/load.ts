import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type FormData, request } from 'undici';

interface LoadRequest {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string;
  body?: unknown;
  form?: FormData;
  /** The expected length of the response body. */
  bytes?: number;
}

/** Sends the requests of concurrent clients; every response other than the expected one is a failure. */
export function createLoad(gateway: string, during: () => string) {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000, connections: 64 });
  const failures: { name: string; reason: string; during: string }[] = [];
  const counts = new Map<string, number>();
  const durations: number[] = [];
  let running = true;

  async function send(name: string, { method = 'GET', path, token, body, form, bytes }: LoadRequest) {
    const fail = (reason: string) => void failures.push({ name, reason, during: during() });
    const startedAt = performance.now();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    try {
      const response = await request(`${gateway}/api${path}`, {
        method,
        dispatcher,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: form ?? (body === undefined ? null : JSON.stringify(body)),
      });
      const text = Buffer.from(await response.body.arrayBuffer());
      durations.push(performance.now() - startedAt);
      if (response.statusCode >= 300) fail(`${response.statusCode} ${text.toString().slice(0, 200)}`);
      if (bytes !== undefined && text.length !== bytes) fail(`${text.length} bytes instead of ${bytes}`);
    } catch (error) {
      fail(error instanceof Error ? `${error.name} ${error.message}` : String(error));
    }
  }

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
