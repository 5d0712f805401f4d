import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { HttpError } from '../errors.ts';
import type { Store } from '../state/store.ts';
import { removeKey, rotateKeys } from './signing-keys.ts';

const Kids = Type.Object({
  signing: Type.String({ description: 'The kid of new tokens' }),
  published: Type.Array(Type.String()),
});

/** Manual key rotation, to test how a relying party handles it. */
export const keyRoutes: FastifyPluginAsyncTypebox<{ deps: { store: Store } }> = async (app, { deps: { store } }) => {
  app.addHook('onRequest', async (request) => {
    if (!/^(::ffff:)?127\.|^::1$/.test(request.ip))
      throw new HttpError(403, 'forbidden', 'Keys can be changed from this machine only');
  });

  app.post('/keys/rotate', { schema: { response: { 201: Kids } } }, async (_request, reply) => {
    const signing = await rotateKeys(store);
    return reply.code(201).send({ signing, published: kids() });
  });

  app.delete(
    '/keys/:kid',
    { schema: { params: Type.Object({ kid: Type.String() }), response: { 200: Kids } } },
    async (request) => {
      await removeKey(store, request.params.kid);
      const published = kids();
      return { signing: published[0] ?? '', published };
    },
  );

  function kids(): string[] {
    return store.read().keys.map((key) => key.kid);
  }
};
