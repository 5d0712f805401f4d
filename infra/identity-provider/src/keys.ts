import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { HttpError, notFound } from './errors.ts';
import { SigningKey, type Store } from './store.ts';

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
    const key = await createSigningKey();
    await store.update(({ keys }) => keys.unshift(key));
    return reply.code(201).send(kids());
  });

  app.delete(
    '/keys/:kid',
    { schema: { params: Type.Object({ kid: Type.String() }), response: { 200: Kids } } },
    async ({ params: { kid } }) => {
      await store.update(({ keys }) => {
        const index = keys.findIndex((key) => key.kid === kid);
        if (index === -1) throw notFound('No such key');
        if (keys.length === 1) throw new HttpError(409, 'last_key', 'The only key cannot be removed; rotate first');
        keys.splice(index, 1);
      });
      return kids();
    },
  );

  /** Tokens are signed with the first key; the older ones stay published until they are removed. */
  function kids() {
    const published = store.read().keys.map((key) => key.kid);
    return { signing: published[0] ?? '', published };
  }
};

export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return Value.Parse(SigningKey, { ...jwk, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(jwk) });
}
