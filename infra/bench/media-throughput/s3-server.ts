// Implements the part of S3 that the drivers use. It discards the bytes and stores their number, to add no cost.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import Fastify from 'fastify';

interface Route {
  Params: { '*': string };
  Querystring: { uploadId?: string };
  /** The number of its bytes. */
  Body: number | undefined;
}

const block = Buffer.alloc(256 * 1024, 'lms');
/** The sizes of objects, and of open multipart uploads. */
const sizes = new Map<string, number>();

const app = Fastify({ bodyLimit: Number.MAX_SAFE_INTEGER, exposeHeadRoutes: false });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', async (_request: unknown, payload: AsyncIterable<Buffer>) => {
  let bytes = 0;
  for await (const chunk of payload) bytes += chunk.length;
  return bytes;
});

app.put<Route>('/*', async ({ params: { '*': key }, query: { uploadId }, body: bytes = 0 }, reply) => {
  sizes.set(uploadId ?? key, bytes + (uploadId ? (sizes.get(uploadId) ?? 0) : 0));
  return reply.header('etag', '"0"').send();
});

app.post<Route>('/*', async ({ params: { '*': key }, query: { uploadId } }, reply) => {
  if (uploadId) sizes.set(key, sizes.get(uploadId) ?? 0);
  const name = uploadId ? 'CompleteMultipartUploadResult' : 'InitiateMultipartUploadResult';
  const text = `<${name}><UploadId>${uploadId ?? randomUUID()}</UploadId><ETag>"0"</ETag></${name}>`;
  return reply.type('application/xml').send(text);
});

app.delete<Route>('/*', async ({ params: { '*': key }, query: { uploadId } }, reply) => {
  sizes.delete(uploadId ?? key);
  return reply.code(204).send();
});

app.route<Route>({
  method: ['GET', 'HEAD'],
  url: '/*',
  handler: async ({ method, params: { '*': key }, headers }, reply) => {
    const size = sizes.get(key);
    // The bucket exists.
    if (size === undefined) return reply.code(/^[^/]*\/?$/.test(key) ? 200 : 404).send();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)];
    const length = end - start + 1;
    reply.code(from === undefined ? 200 : 206);
    reply.headers({ 'content-length': length, 'content-range': `bytes ${start}-${end}/${size}` });
    return reply.send(method === 'HEAD' ? undefined : Readable.from(blocks(length)));
  },
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

function* blocks(length: number) {
  for (let left = length; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block;
}
