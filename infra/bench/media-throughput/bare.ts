// The baseline: the same bytes through Fastify, its multipart plugin and the SDK, without any checks.
import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';

const { PORT, S3_ENDPOINT = '', S3_BUCKET: Bucket, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env;

const client = new S3Client({
  endpoint: S3_ENDPOINT,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
  region: 'us-east-1',
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});
const app = Fastify();
app.register(multipart, { limits: { fileSize: Number.MAX_SAFE_INTEGER } });

app.get('/', async () => ({ ok: true }));

app.put('/video', async (request) => {
  const part = await request.file();
  if (!part) throw new Error('no file');
  const upload = new Upload({
    client,
    params: { Bucket, Key: 'bare', Body: part.file },
    partSize: 8 * 1024 * 1024,
    queueSize: 2,
  });
  await upload.done();
  return { ok: true };
});

app.get('/video', async (_request, reply) => {
  const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key: 'bare' }));
  if (!(Body instanceof Readable)) throw new Error('no body');
  return reply.header('content-length', ContentLength).type('video/mp4').send(Body);
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
