import Fastify from 'fastify';
import t from 'tap';
import { request } from 'undici';
import { responses } from '../src/plugins/responses.ts';

t.test('a response that cannot be written fails alone, and its client is not left waiting', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(responses);
  app.get('/', async () => 'first');
  app.get('/twice', (_request, reply) => {
    reply.send('first');
    reply.send('second');
  });
  app.get('/invalid', (_request, reply) => {
    reply.header('x-name', 'a\nb').send('first');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const read = async (path: string) => (await request(url + path)).body.text();

  // Sent at the same time, so that they are written together.
  const [twice, invalid, ...others] = await Promise.allSettled(['/twice', '/invalid', '/', '/'].map(read));
  t.match(twice, { value: 'first' });
  t.match(invalid, { reason: { code: 'UND_ERR_SOCKET' } });
  for (const other of others) t.match(other, { value: 'first' });
});
