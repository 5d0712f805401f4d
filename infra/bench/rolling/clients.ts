import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, FormData, request } from 'undici';

/** Tokens and ids of the sample content. */
interface SeedData {
  admin: string;
  learner: string;
  levelId: string;
  topicId: string;
  videoBytes: number;
}

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
type Load = ReturnType<typeof createLoad>;

const many = (count: number, start: () => Promise<unknown>) => Array.from({ length: count }, start);

/** Starts clients of all kinds, each with one request after the other. */
export function startClients({ send, repeat }: Load, { admin, learner, levelId, topicId, videoBytes }: SeedData) {
  const topic = `/education/topics/${topicId}`;
  const learning = `/learning/topics/${topicId}`;
  const visit = async () => {
    await send('tree', { path: '/education/tree' });
    await send('grades', { path: `/education/levels/${levelId}/grades` });
    await send('search', { path: '/education/search?q=numbers' });
  };
  const read = async () => {
    await send('topic', { path: topic, token: learner });
    await send('profile', { path: '/auth/profile', token: learner });
    await send('progress', { path: '/learning/progress', token: learner });
    const body = { positionSeconds: 3, durationSeconds: 9 };
    await send('position', { method: 'PUT', path: `${learning}/position`, token: learner, body });
  };
  const note = {
    method: 'POST',
    path: `${learning}/notes`,
    token: learner,
    body: { content: 'Carry the one.' },
  } as const;
  const upload = { method: 'POST', path: '/s3/document/upload', token: admin } as const;
  return [
    ...many(3, () => repeat(visit, 100)),
    ...many(3, () => repeat(read, 100)),
    ...many(2, () => repeat(() => send('note', note), 200)),
    repeat(() => send('video', { path: `${topic}/video`, token: learner, bytes: videoBytes }), 300),
    repeat(() => send('upload', { ...upload, form: documentForm(topicId) }), 1_000),
  ];
}

/** The form of a document upload, as a browser sends it. */
function documentForm(topicId: string): FormData {
  const form = new FormData();
  form.set('topicId', topicId);
  form.set('metadata', JSON.stringify({ name: 'Exercises' }));
  form.set('file', new Blob([randomBytes(300_000)]), 'exercises.bin');
  return form;
}
