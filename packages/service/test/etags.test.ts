import t from 'tap';
import { buildServer } from './build-server.ts';

t.test('who names the tag of what he would get is told that he has it', async (t) => {
  const { app } = buildServer(t);
  const first = await app.inject('/things?limit=3');
  const tag = String(first.headers.etag);
  t.match(tag, /^"[^"]+"$/);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag}`, '*', ' * ']) {
    const again = await app.inject({ url: '/things?limit=3', headers: { 'if-none-match': known } });
    t.match(again, { statusCode: 304, body: '', headers: { etag: tag } }, known);
  }
  for (const unknown of ['"other"', tag.slice(1, -1), '', '"*"']) {
    const again = await app.inject({ url: '/things?limit=3', headers: { 'if-none-match': unknown } });
    t.match(again, { statusCode: 200, body: first.body, headers: { etag: tag } }, unknown);
  }
});

t.test('only what was read can be known: changes and failures are told whole', async (t) => {
  const { app } = buildServer(t);
  const headers = { 'if-none-match': '*' };
  const made = await app.inject({ method: 'POST', url: '/things', headers, payload: { name: 'a' } });
  t.match(made, { statusCode: 201, body: /"name":"a"/ });
  t.match(await app.inject({ url: '/conflict', headers }), { statusCode: 409, body: /CONFLICT/ });
});
