// The baselines for the gateway, without tokens, limits or a log: @fastify/http-proxy, and what is possible with Fastify at
// all, copies of two of the gateway's responses from memory.
import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';

const { PORT, UPSTREAM = '', READ, REFUSAL } = process.env;
const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

const app = Fastify();
for (const [path, source] of Object.entries({ '/read': READ, '/refusal': REFUSAL })) {
  if (!source) continue;
  const response = await fetch(source);
  const body = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.includes(name)));
  app.get(path, (_request, reply) => reply.code(response.status).headers(headers).send(body));
}
await app.register(proxy, { upstream: UPSTREAM, undici: { connections: 128, pipelining: 1 } });
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
