import { hash } from 'node:crypto';
import fp from 'fastify-plugin';

const readMethods = ['GET', 'HEAD'];

/** Adds strong ETags to successful reads without one, and responds 304 to a matching If-None-Match. Streams get no ETag. */
export const etags = fp(
  async (app) => {
    app.addHook('onSend', ({ method, headers }, reply, payload, done) => {
      if (!readMethods.includes(method) || reply.statusCode !== 200) return done(null, payload);
      if (!reply.hasHeader('etag') && (typeof payload === 'string' || Buffer.isBuffer(payload)))
        reply.header('etag', `"${hash('sha1', payload, 'base64')}"`);
      const tag = reply.getHeader('etag');
      if (typeof tag !== 'string' || !matchesEtag(headers['if-none-match'], tag)) return done(null, payload);
      reply.code(304);
      // Not an empty text: a Content-Length must be that of the 200 (RFC 9110 §8.6). HEAD has it, and drops the payload.
      done(null, method === 'HEAD' ? payload : null);
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
