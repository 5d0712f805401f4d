import { promisify } from 'node:util';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { createDownloadTokens } from '../src/exports/download-tokens.ts';
import { admin, startContent } from './content-service.ts';
import { exportsPath, startExports } from './export-service.ts';

const { media, content, download, exportFile } = await startExports(t);
const { call, database } = content;

t.test('a download works with its address only, in ranges too', async (t) => {
  const { id, downloadUrl, bytes, checksum } = await exportFile({ format: 'csv' });
  const full = await download(downloadUrl);
  const digest = Buffer.from(checksum.replace('sha256:', ''), 'hex').toString('base64');
  t.match(full.headers, { 'repr-digest': `sha-256=:${digest}:`, 'content-disposition': /^attachment; filename=/ });
  const range = await download(downloadUrl, { range: 'bytes=2-5' });
  t.equal(range.statusCode, 206);
  t.equal(range.body, bytes.subarray(2, 6).toString());
  const head = await download(downloadUrl, {}, 'HEAD');
  t.strictSame([head.statusCode, head.body, head.headers['content-length']], [200, '', String(bytes.length)]);
  const whole = await download(downloadUrl, { range: 'bytes=2-5' }, 'HEAD');
  t.match(whole, { statusCode: 200, headers: { 'content-length': String(bytes.length), 'content-range': undefined } });
  const { etag, 'cache-control': caching } = full.headers;
  for (const condition of [String(etag), '*'])
    t.match(await download(downloadUrl, { 'if-none-match': condition }), {
      ...{ statusCode: 304, body: '' },
      headers: { etag, 'cache-control': caching, 'content-length': undefined },
    });
  media.intercept((_request, response) => {
    const body = JSON.stringify({ success: false, code: 'RANGE_NOT_SATISFIABLE', error: 'Outside', requestId: '' });
    response.writeHead(416, { 'content-range': 'bytes */99' }).end(body);
    return true;
  });
  const beyond = await download(downloadUrl, { range: 'bytes=99-' });
  media.stopIntercepting();
  t.strictSame([beyond.statusCode, beyond.headers['content-range']], [416, 'bytes */99']);
  const other = await exportFile({ format: 'csv' });
  for (const address of [
    `/api/education/exports/${other.id}/download${new URL(downloadUrl).search}`,
    `/api/education/exports/${id}/download?token=1.x`,
    downloadUrl.replace(/token=\d/, 'token=9'),
  ])
    t.equal((await download(address)).statusCode, 404, address);
  t.equal((await download(`/api/education/exports/${id}/download`)).statusCode, 422);

  const tokens = createDownloadTokens('a secret of at least 32 characters');
  for (const [availableMs, expiresAtMs] of [
    [1_000_000, 900_000],
    [300_000, 300_000],
  ] as const) {
    const { token, expiresAt } = tokens.create('id', new Date(availableMs), 0);
    t.strictSame([tokens.isValid('id', token, expiresAtMs - 1), expiresAt.getTime()], [true, expiresAtMs]);
    t.notOk(tokens.isValid('id', token, expiresAtMs), 'an address expires, at the latest with its file');
  }

  await database.sql`update exports set expires_at = now() - interval '1 second' where id = ${id}`;
  t.match((await call('GET', `${exportsPath}/${id}`, { as: admin })).json.data, {
    status: 'expired',
    downloadUrl: null,
  });
  t.equal((await download(downloadUrl)).statusCode, 404);
  const list = async (filter: string): Promise<{ id: string; status: string }[]> =>
    (await call('GET', `${exportsPath}?status=${filter}&search=csv`, { as: admin })).json.data;
  const completed = await list('completed');
  t.equal(completed[0]?.id, other.id);
  t.ok(
    completed.every(({ status }) => status === 'completed'),
    'the filter compares the status that is shown',
  );
  t.strictSame(
    (await list('expired')).map((each) => [each.id, each.status]),
    [[id, 'expired']],
  );
});

t.test('a download passes on conditions, and Retry-After of media', async (t) => {
  const { downloadUrl } = await exportFile({ format: 'csv' });
  const conditions = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' };
  const received: unknown[] = [];
  media.intercept(({ headers }, response) => {
    received.push(headers['if-unmodified-since']);
    const body = JSON.stringify({ success: false, code: 'RATE_LIMITED', error: 'Too many', requestId: '' });
    response.writeHead(429, { 'retry-after': '7' }).end(body);
    return true;
  });
  const refused = await download(downloadUrl, conditions);
  media.stopIntercepting();
  t.strictSame(received, Object.values(conditions));
  t.match(refused, { statusCode: 429, headers: { 'retry-after': '7' } });
});

t.test('downloads beyond a limit are refused at once, and work again when others have ended', async (t) => {
  const { downloadUrl } = await exportFile({ format: 'csv' });
  const held: (() => void)[] = [];
  media.intercept(
    () =>
      new Promise((resolve) => {
        held.push(() => resolve(false));
      }),
  );
  const release = () => {
    for (const continueOne of held) continueOne();
  };
  t.teardown(release);
  const running = Array.from({ length: 32 }, () => download(downloadUrl));
  await waitFor(() => held.length === running.length, { until: 'all downloads have begun' });
  media.stopIntercepting();
  const refused = await download(downloadUrl);
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '5' } });
  t.match(refused.json(), { success: false, code: 'SERVICE_UNAVAILABLE' });
  release();
  t.ok((await Promise.all(running)).every(({ statusCode }) => statusCode === 200));
  t.equal((await download(downloadUrl)).statusCode, 200);
});

t.test('a client that stops reading a download is disconnected', async (t) => {
  const { id, downloadUrl } = await exportFile({ format: 'csv' });
  const [row] = await database.sql`select file_id from exports where id = ${id}`;
  media.files.set(row?.file_id, { bytes: Buffer.alloc(100_000_000), fileName: 'large.csv' });
  const other = await startContent(t, { media: media.client, sharedWith: content, readerIdleMs: 100 });
  const url = await other.app.listen({ host: '127.0.0.1', port: 0 });
  const unread = await fetch(downloadUrl.replace('https://lms.test', url));
  t.equal(unread.status, 200);
  t.teardown(() => unread.body?.cancel().catch(() => undefined));
  const countConnections = promisify(other.app.server.getConnections.bind(other.app.server));
  await waitFor(async () => (await countConnections()) === 0, { until: 'the connection is closed' });
  await t.rejects(unread.text());
});
