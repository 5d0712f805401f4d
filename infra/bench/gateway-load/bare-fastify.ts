// What is possible with Fastify at all: it sends copies of two of the gateway's responses, without hooks.
import Fastify from 'fastify';

const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
const app = Fastify();
for (const [path, source] of Object.entries({ '/read': process.env.READ, '/refusal': process.env.REFUSAL })) {
  const response = await fetch(String(source));
  const body = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.includes(name)));
  app.get(path, (_request, reply) => reply.code(response.status).headers(headers).send(body));
}
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
