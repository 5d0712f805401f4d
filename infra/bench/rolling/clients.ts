import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient, unwrap } from '@lms/client';
import { signIn } from 'local/running-stack';

interface Sent {
  name: string;
  durationMs: number;
  /** What was replaced meanwhile. */
  during: string;
  /** Undefined if it succeeded. */
  failure: string | undefined;
}

type Call = () => Promise<{ response: Response; error?: unknown }>;

/** Starts concurrent clients of all kinds, each with one request after the other. All other responses than 2xx are failures. */
export async function startClients(baseUrl: string, provider: string, during: () => string) {
  // A request that is repeated would hide a failure.
  const clientOf = (token?: string) => createClient({ baseUrl, token: () => token, retries: 0 });
  const visitor = clientOf();
  const learner = clientOf(await signIn(provider, 'learner@lms.test'));
  const admin = clientOf(await signIn(provider, 'admin@lms.test'));
  const [level] = await unwrap(visitor.GET('/api/education/levels'));
  const { id: topicId, video } = await findFilm(learner);
  const ofLevel = { params: { path: { id: level?.id ?? '' } } };
  const ofTopic = { params: { path: { id: topicId } } };

  const sent: Sent[] = [];
  let isRunning = true;
  async function send(name: string, call: Call) {
    const startedAt = performance.now();
    const failure = await call().then(
      ({ response, error }) => (response.ok ? undefined : `${response.status} ${JSON.stringify(error)}`),
      String,
    );
    sent.push({ name, durationMs: performance.now() - startedAt, during: during(), failure });
  }
  /** Starts clients that repeat a round of requests until the end, with a pause after each. */
  const start = (count: number, pauseMs: number, round: [string, Call][]) =>
    Array.from({ length: count }, async () => {
      while (isRunning) {
        for (const [name, call] of round) await send(name, call);
        await pause(pauseMs);
      }
    });

  async function watchFilm() {
    const result = await learner.GET('/api/education/topics/{id}/video', { ...ofTopic, parseAs: 'blob' });
    const { size } = new Blob([result.data ?? '']);
    if (result.response.ok && size !== video?.size) throw new Error(`${size} bytes instead of ${video?.size}`);
    return result;
  }
  const position = { body: { positionSeconds: 3, durationSeconds: 9 } };
  const note = { body: { content: 'Carry the one.' } };
  const exercises = () => new File([randomBytes(300_000)], 'exercises.bin');
  const running = [
    ...start(3, 100, [
      ['tree', () => visitor.GET('/api/education/tree')],
      ['grades', () => visitor.GET('/api/education/levels/{id}/grades', ofLevel)],
      ['search', () => visitor.GET('/api/education/search', { params: { query: { q: 'numbers' } } })],
    ]),
    ...start(3, 100, [
      ['topic', () => learner.GET('/api/education/topics/{id}', ofTopic)],
      ['profile', () => learner.GET('/api/auth/profile')],
      ['progress', () => learner.GET('/api/learning/progress')],
      ['position', () => learner.PUT('/api/learning/topics/{id}/position', { ...ofTopic, ...position })],
    ]),
    ...start(2, 200, [['note', () => learner.POST('/api/learning/topics/{id}/notes', { ...ofTopic, ...note })]]),
    ...start(1, 300, [['video', watchFilm]]),
    ...start(1, 1_000, [['upload', () => admin.uploadDocument({ topicId, file: exercises() })]]),
  ];

  return {
    sent,
    async end() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}

/** A topic of the learner that has a video. */
async function findFilm({ GET }: Client) {
  const enrollments = await unwrap(GET('/api/enrollment'));
  const subjectId = enrollments.find(({ status }) => status === 'APPROVED')?.subjectId ?? '';
  const topics = await unwrap(GET('/api/education/subjects/{id}/topics', { params: { path: { id: subjectId } } }));
  const topic = topics.find(({ hasVideo }) => hasVideo);
  if (!topic) throw new Error('no topic of the learner has a video');
  return unwrap(GET('/api/education/topics/{id}', { params: { path: { id: topic.id } } }));
}
