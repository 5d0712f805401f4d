// The baselines, without checks, limits or a log: @fastify/http-proxy before UPSTREAM; what is possible with Fastify at all,
// copies of the responses of READ and REFUSAL from memory; a FILE that is uploaded with @fastify/multipart and downloaded.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import proxy from '@fastify/http-proxy';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';

const { PORT, UPSTREAM, READ, REFUSAL, FILE } = process.env;
const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

const app = Fastify();
for (const [path, source] of Object.entries({ '/read': READ, '/refusal': REFUSAL })) {
  if (!source) continue;
  const response = await fetch(source);
  const body = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.includes(name)));
  app.get(path, (_request, reply) => reply.code(response.status).headers(headers).send(body));
}
if (UPSTREAM) await app.register(proxy, { upstream: UPSTREAM, undici: { connections: 128, pipelining: 1 } });
if (FILE) {
  await app.register(multipart, { limits: { fileSize: Number.MAX_SAFE_INTEGER } });
  app.put('/api/*', async (request) => {
    const part = await request.file();
    if (part) await pipeline(part.file, createWriteStream(FILE));
    return { success: true };
  });
  app.get('/api/*', (_request, reply) => reply.type('video/mp4').send(createReadStream(FILE)));
}
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
