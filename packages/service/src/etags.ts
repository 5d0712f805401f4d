import { hash } from 'node:crypto';
import etag from '@fastify/etag';
import fp from 'fastify-plugin';

const readMethods = ['GET', 'HEAD'];

/** Adds strong ETags to responses without one, and responds 304 to a matching If-None-Match. Streams get no ETag. */
export const etags = fp(
  async (app) => {
    // The plugin's own 304 supports a single tag only, and applies to errors and POST as well.
    await app.register(etag, { replyWith304: false, hashFn: (payload) => hash('sha1', payload, 'base64') });
    app.addHook('onSend', (request, reply, payload, done) => {
      const condition = request.headers['if-none-match'];
      if (condition === undefined || !readMethods.includes(request.method) || reply.statusCode !== 200)
        return done(null, payload);
      const tag = reply.getHeader('etag');
      if (typeof tag !== 'string' || !matchesEtag(condition, tag)) return done(null, payload);
      reply.code(304);
      done(null, '');
    });
  },
  { name: 'etags' },
);

/** Evaluates If-None-Match, a list of tags or `*`, with weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  const opaqueTag = (text: string) => text.trim().replace(/^W\//, '');
  return condition.split(',').some((item) => item.trim() === '*' || opaqueTag(item) === opaqueTag(tag));
}
