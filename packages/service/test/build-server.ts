import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Success } from '@lms/contracts/envelope';
import { Id, idOf, idParams, resourceKeyword } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Name, Nullable, OneOf, Text, Timestamp, WebUrl } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import type { Test } from 'tap';
import { createServer } from '../src/create-server.ts';
import { pageResponse } from '../src/page-response.ts';
import { conflict, forbidden, Unauthorized } from '../src/problems.ts';

export interface LogLine {
  level: number;
  msg: string;
  requestId?: string;
  status?: number;
  err?: { message: string };
}

/** A logger that records its lines. */
export function recordingLogger() {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { logger: pino({ level: 'debug' }, stream), lines };
}

const Thing = Type.Object({
  name: Name(),
  count: Type.Optional(Type.Integer({ minimum: 0 })),
  kind: Type.Optional(OneOf(['a', 'b'])),
  description: Type.Optional(Nullable(Text(50))),
  imageUrl: Type.Optional(Nullable(WebUrl())),
  until: Type.Optional(Nullable(Timestamp())),
  nested: Type.Optional(Nullable(Type.Object({ inner: Name() }))),
  labels: Type.Optional(Type.Record(Type.String(), Type.Object({ text: Name() }))),
  ids: Type.Optional(Type.Array(Id, { maxItems: 500, uniqueItems: true })),
  open: Type.Optional(Type.Unknown()),
});

const Filters = PageQuery(
  ['name', 'createdAt'],
  { sort: 'name', order: 'asc' },
  {
    search: Search,
    isActive: Type.Optional(Type.Boolean()),
    ratio: Type.Optional(Type.Number()),
    status: Type.Optional(Type.Array(OneOf(['A', 'B']))),
    ...dateFilters,
  },
);

const PublicThing = Type.Object({
  id: Type.String(),
  at: Timestamp(),
  picture: Nullable(Type.Object({ url: WebUrl(), at: Timestamp() })),
});

const Translation = Type.Object({
  id: idOf('Thing'),
  language: OneOf(['de', 'de-AT'], { [resourceKeyword]: 'Translation' }),
});

interface Options {
  total: number;
}

/** One route for each kind of response. Parameters and bodies are typed by their schemas. */
const thingRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { total }) => {
  app.get(
    '/things',
    { schema: { querystring: Filters, response: { 200: Page(Type.Unknown()) } } },
    (request, reply) => {
      const { page, limit, isActive, search } = request.query;
      const typed: [number, number, boolean | undefined, string | undefined] = [page, limit, isActive, search];
      return pageResponse(request, reply, request.query, { items: [request.query, typed], total });
    },
  );
  app.post('/things', { schema: { body: Thing } }, async (request, reply) => {
    const name: string = request.body.name;
    return reply.code(201).send({ success: true, data: { ...request.body, name } });
  });
  app.put(
    '/things/:id',
    { schema: { params: idParams('Thing'), body: Type.Partial(Thing, { minProperties: 1 }) } },
    (request) => ({
      success: true,
      data: { id: request.params.id, ...request.body },
    }),
  );
  app.post('/things/:id/publish', async (request) => ({ success: true, data: request.body }));
  app.get(
    '/things/:id',
    { schema: { params: idParams('Thing'), response: { 200: Success(PublicThing) } } },
    async (request) => {
      const stored = {
        id: request.params.id,
        at: '2026-01-31T12:00:00.000Z',
        secret: 'hidden',
        picture: { url: 'https://example.org', at: '2026-01-31T12:00:00.000Z', key: 'hidden' },
      };
      return { success: true as const, data: stored };
    },
  );
  app.get('/things/:id/texts/:language', { schema: { params: Translation } }, async (request) => ({
    success: true,
    data: request.params,
  }));
  app.get('/files/*', async (request) => ({ success: true, data: request.params }));
};

const failingRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/crash', async () => {
    throw new Error('password=hunter2');
  });
  app.get('/throw-text', async () => {
    throw 'password=hunter2';
  });
  app.get('/throw-null', () => Promise.reject(null));
  app.get('/invalid-response', { schema: { response: { 200: Success(PublicThing) } } }, async (_request, reply) =>
    reply.send(JSON.parse('{"success": true, "data": {}}')),
  );
  app.get('/outage', async () => {
    throw new Error('the disk is gone');
  });
  app.get('/conflict', async () => {
    throw conflict({ resource: 'thing', field: 'name', value: 'x' });
  });
};

const adminRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', async (request) => {
    if (request.headers.role === undefined) throw new Unauthorized();
    if (request.headers.role !== 'admin') throw forbidden({ required: ['ADMIN'], user_roles: [] });
  });
  app.put('/admin/:id', { schema: { params: idParams('Thing'), body: Thing } }, async () => ({ success: true }));
};

export function buildServer(t: Test, total = 45) {
  const { logger, lines } = recordingLogger();
  const app = createServer({
    logger,
    bodyLimit: 1024 * 1024,
    isOutage: (error) => error instanceof Error && error.message.includes('disk'),
  });
  app.register(thingRoutes, { total });
  app.register(failingRoutes);
  app.register(adminRoutes);
  t.teardown(() => app.close());
  return { app, lines };
}

/** Starts the server on a real port. */
export async function startServer(t: Test) {
  const { app, lines } = buildServer(t);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  if (!app.server.listening) await once(app.server, 'listening');
  return { app, lines, port: address.port, url: `http://127.0.0.1:${address.port}` };
}
