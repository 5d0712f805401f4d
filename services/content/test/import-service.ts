import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Principal } from '@lms/contracts/passport';
import { createServiceClient } from '@lms/service/service-client';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testServiceSecret } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp as buildMedia } from '../../media/src/app.ts';
import { createFileStorage } from '../../media/src/storage/file.ts';
import { admin, startContent } from './content-service.ts';

const mediaMigrations = fileURLToPath(new URL('../../media/migrations', import.meta.url));
const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

export interface ShownImport {
  id: string;
  status: string;
  mode: string;
  dryRun: boolean;
  percent: number;
  counts: { created: number; updated: number; unchanged: number; deleted: number; media: number };
  issues: { severity: string; pointer?: string; line?: number; code: string; message: string }[];
  issueCount: number;
  finishedAt: string | null;
}

/** A real media service with its own port, database and storage, for a content service that will listen on another port. */
export async function startMedia(t: Test) {
  const root = await mkdtemp(join(tmpdir(), 'lms-imports-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const [contentPort, mediaPort] = [await freePort(), await freePort()];
  const mediaDatabase = await testDatabase(t, mediaMigrations);
  const contentClient = createServiceClient(`http://127.0.0.1:${contentPort}`, { timeoutMs: 30_000 });
  const media = await buildMedia({
    logger,
    database: mediaDatabase,
    content: contentClient,
    storage: createFileStorage(root),
    passportKey: testPassportKey,
    serviceSecret: testServiceSecret,
    notifyRelay: () => undefined,
    publicUrl: 'https://lms.test',
    playbackSecret: 'a secret for playback URLs',
    maxVideoBytes: 20_000_000,
    maxDocumentBytes: 1_000_000,
    maxConcurrentUploads: 16,
    reaperIntervalMs: 3_600_000,
    graceMs: 500,
  });
  let held = Promise.resolve();
  media.addHook('onRequest', async ({ method, url }) => {
    if (method === 'GET' && url.startsWith('/internal/job-files/')) await held;
  });
  const url = await media.listen({ host: '127.0.0.1', port: mediaPort });
  t.teardown(async () => {
    await media.close();
    await contentClient.close();
  });
  return {
    url,
    contentPort,
    mediaDatabase,
    root,
    /** Delays the bytes of imported files until the returned function is called. */
    holdFiles() {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

/** The content service with a real media service. */
export async function startImports(t: Test) {
  const { url: mediaUrl, contentPort, mediaDatabase, root, holdFiles } = await startMedia(t);
  const mediaClient = createServiceClient(mediaUrl, { timeoutMs: 30_000 });
  const content = await startContent(t, { media: mediaClient });
  const url = await content.app.listen({ host: '127.0.0.1', port: contentPort });
  t.teardown(() => mediaClient.close());

  const path = '/api/admin/education/imports';
  const read = async (id: string): Promise<ShownImport> =>
    (await content.call('GET', `${path}/${id}`, { as: admin })).json.data;

  /** Uploads a file as a client does. */
  async function upload(name: string, bytes: Uint8Array | string, query = '', as: Principal = admin) {
    const body = new FormData();
    body.append('file', new File([Buffer.from(bytes)], name));
    const response = await fetch(`${url}${path}${query}`, { method: 'POST', body, headers: passportHeaders(as) });
    const json = JSON.parse(await response.text());
    return { status: response.status, json, data: json.data as ShownImport };
  }
  const end = async (id: string) => {
    await waitFor(async () => (await read(id)).finishedAt !== null, { until: 'the import has ended' });
    return read(id);
  };

  return {
    ...content,
    url,
    mediaUrl,
    root,
    path,
    read,
    upload,
    end,
    mediaDatabase,
    holdFiles,
    /** Uploads a file and waits for the end of its import. */
    async run(name: string, bytes: Uint8Array | string, query = '') {
      const { status, json } = await upload(name, bytes, query);
      if (status !== 202) throw new Error(`the upload returned ${status}: ${JSON.stringify(json)}`);
      return end(json.data.id);
    },
    /** The file of an export. */
    async exportFile(options: { format: string; includeMedia?: boolean; rootType?: string; rootId?: string }) {
      const exportsPath = '/api/admin/education/exports';
      const { json } = await content.call('POST', exportsPath, { as: admin, body: options });
      const job = await waitFor(
        async () => {
          const { data } = (await content.call('GET', `${exportsPath}/${json.data.id}`, { as: admin })).json;
          return ['completed', 'failed'].includes(data.status) && data;
        },
        { until: 'the export ends' },
      );
      const response = await content.app.inject({ url: job.downloadUrl.replace('https://lms.test', '') });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.rawPayload;
    },
    /** Sends a curriculum as JSON and waits for the end of its import. */
    async runJson(levels: unknown, query = '') {
      const { status, json } = await content.call('POST', `${path}${query}`, {
        as: admin,
        body: { version: 1, levels },
      });
      if (status !== 202) throw new Error(`the request returned ${status}: ${JSON.stringify(json)}`);
      return end(json.data.id);
    },
    /** The undeleted nodes, by name. */
    async nodes() {
      const rows = await content.database.sql`select * from nodes where deleted_at is null order by kind, name`;
      return new Map(rows.map((row) => [String(row.name), row]));
    },
    /** Waits until media has no file of an import, neither in its database nor in storage. */
    async waitForNoFiles() {
      await waitFor(
        async () => {
          const rows = await mediaDatabase.sql`select key from objects`;
          const stored = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
            entry.isFile(),
          );
          return stored.length === rows.length && rows.every(({ key }) => !key.startsWith('job-file'));
        },
        { until: 'no file of an import is left' },
      );
    },
  };
}
