// The baseline for the gateway: @fastify/http-proxy without tokens, limits or a log.
import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';

const app = Fastify();
await app.register(proxy, { upstream: String(process.env.UPSTREAM), undici: { connections: 128, pipelining: 1 } });
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
