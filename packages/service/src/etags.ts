import etag from '@fastify/etag';
import fp from 'fastify-plugin';

const reads = ['GET', 'HEAD'];

/** Strong tags for what a handler did not tag itself, and 304 for those who hold it already; streams pass by. */
export const etags = fp(
  async (app) => {
    // Its own comparison knows one tag only, and lets an error or a POST end in a 304 too.
    await app.register(etag, { replyWith304: false });
    app.addHook('onSend', async (request, reply, payload) => {
      const tag = reply.getHeader('etag');
      const mayBeKnown = reads.includes(request.method) && reply.statusCode === 200 && typeof tag === 'string';
      if (!mayBeKnown || !matchesEtag(request.headers['if-none-match'], tag)) return payload;
      reply.code(304);
      return '';
    });
  },
  { name: 'tag-answers' },
);

/** Whether `If-None-Match` names a tag: alone, among others, or by `*`. It compares weakly (RFC 9110 §13.1.2). */
export function matchesEtag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  const plain = (text: string) => text.trim().replace(/^W\//, '');
  return condition.split(',').some((one) => one.trim() === '*' || plain(one) === plain(tag));
}
