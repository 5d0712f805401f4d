import t from 'tap';
import { buildServer } from './build-server.ts';

t.test('a matching If-None-Match gets a 304', async (t) => {
  const { app } = buildServer(t);
  const first = await app.inject('/things?limit=3');
  const tag = String(first.headers.etag);
  t.match(tag, /^"[^"]+"$/);
  for (const matching of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag}`, '*', ' * ']) {
    const again = await app.inject({ url: '/things?limit=3', headers: { 'if-none-match': matching } });
    t.match(again, { statusCode: 304, body: '', headers: { etag: tag, 'content-length': undefined } }, matching);
  }
  const head = { method: 'HEAD', url: '/things?limit=3' } as const;
  t.match(await app.inject({ ...head, headers: { 'if-none-match': tag } }), {
    statusCode: 304,
    headers: { etag: tag, 'content-length': (await app.inject(head)).headers['content-length'] },
  });
  for (const other of ['"other"', tag.slice(1, -1), '', '"*"']) {
    const again = await app.inject({ url: '/things?limit=3', headers: { 'if-none-match': other } });
    t.match(again, { statusCode: 200, body: first.body, headers: { etag: tag } }, other);
  }
});

t.test('writes and errors have no ETag, and If-None-Match does not apply to them', async (t) => {
  const { app } = buildServer(t);
  const headers = { 'if-none-match': '*' };
  const created = await app.inject({ method: 'POST', url: '/things', headers, payload: { name: 'a' } });
  t.match(created, { statusCode: 201, body: /"name":"a"/, headers: { etag: undefined } });
  const failed = await app.inject({ url: '/conflict', headers });
  t.match(failed, { statusCode: 409, body: /CONFLICT/, headers: { etag: undefined } });
});
