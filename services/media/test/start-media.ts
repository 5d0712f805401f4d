import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Principal } from '@lms/contracts/passport';
import { createServiceClient } from '@lms/service/service-client';
import { emptyDatabase, testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testServiceSecret } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp, type Deps } from '../src/app.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { startContent } from './start-content.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** Starts media with its own port, database, storage folder and content server, which may be slow on a busy machine. */
export async function startMedia(t: Test, given: Partial<Deps> = {}, contentTimeoutMs = 30_000) {
  const root = await mkdtemp(join(tmpdir(), 'lms-media-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const database = await testDatabase(t, migrations);
  const content = await startContent(t);
  const contentClient = createServiceClient(content.url, { timeoutMs: contentTimeoutMs });
  const app = await buildApp({
    logger: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    database,
    content: contentClient,
    storage: createFileStorage(root),
    passportKey: testPassportKey,
    serviceSecret: testServiceSecret,
    notifyRelay: () => undefined,
    publicUrl: 'https://lms.example',
    playbackSecret: 'a secret for playback URLs',
    maxVideoBytes: 20_000_000,
    maxDocumentBytes: 1_000_000,
    maxConcurrentUploads: 16,
    reaperIntervalMs: 3_600_000,
    graceMs: 500,
    ...given,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(async () => {
    await app.close();
    await contentClient.close();
  });

  return {
    app,
    url,
    port: Number(new URL(url).port),
    database,
    content,
    root,
    /** Sends a request with the passport of a user, or without one. */
    send: (user: Principal | null, path: string, init: RequestInit = {}) =>
      fetch(new URL(path, url), { ...init, headers: { ...(user && passportHeaders(user)), ...Object(init.headers) } }),
    rows: async () => [...(await database.sql<{ id: string; status: string; kind: string }[]>`select * from objects`)],
    files: async () =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    events: async () =>
      (
        await database.sql<
          { type: string; aggregate_id: string }[]
        >`select type, aggregate_id from outbox order by ordinal`
      ).map(({ type }) => type),
    /** The events of one video, or of all, each with the status that it contains. */
    states: async (videoId: string | null = null): Promise<string[][]> =>
      (
        await database.sql<{ type: string; status: string | null }[]>`
          select type, data->>'status' as status from outbox
          where ${videoId}::text is null or aggregate_id = ${videoId} order by ordinal`
      ).map(({ type, status }) => [type, ...(status === null ? [] : [status])]),
    /** Waits until exactly `count` objects are left, both in the database and in storage. */
    async waitForObjects(count: number) {
      await waitFor(async () => (await this.rows()).length === count && (await this.files()).length === count, {
        until: `${count} objects`,
      });
    },
  };
}
export type Media = Awaited<ReturnType<typeof startMedia>>;

/** Starts media for the tests of a file that end their requests. The returned function empties it for the next test. */
export async function shareMedia(t: Test) {
  const media = await startMedia(t);
  return async () => {
    // Replaced and removed objects are deleted after the response.
    const isIdle = async () => {
      const [rows, files] = [await media.rows(), await media.files()];
      return rows.every(({ status }) => status === 'ready') && rows.length === files.length;
    };
    await waitFor(isIdle, { until: 'the end of all deletions' });
    await emptyDatabase(media.database);
    for (const name of await readdir(media.root)) await rm(join(media.root, name), { recursive: true });
    media.content.topics.clear();
    return media;
  };
}

/** The request options for a form with these parts, in this order. */
export function form(...parts: [name: string, value: string | File][]): { method: string; body: FormData } {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  return { method: 'POST', body };
}

export const file = (bytes: Uint8Array | string, name = 'notes.pdf') => new File([Buffer.from(bytes)], name);

/** The `data` of a response, with the fields that the tests read. */
export async function dataOf(response: Response) {
  const body: { data: { id: string; key: string; url: string; videoUrl: string; expiresAt: string } } = JSON.parse(
    await response.text(),
  );
  return body.data;
}
