import { Readable } from 'node:stream';
import { passportHeader } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { createId } from '@paralleldrive/cuid2';
import { Agent, request } from 'undici';
import type { Bench } from '../harness/run-bench.ts';

const { env } = process;

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Where a video is uploaded and downloaded. */
export interface Target {
  through: string;
  /** The processes that the bytes pass. */
  uses: string[];
  /** The target, of the throughput of the first. */
  atLeast: number;
  uploadUrl: string;
  url: string;
  headers: () => Record<string, string>;
}

/** Starts media and the gateway before it, a bare Fastify, and the S3 server. */
export async function startSystem(bench: Bench) {
  const { openPostgres, startOthers, startScript, startService, startGateway, signPassport } = bench;
  const { url: databaseUrl, sql } = await (await openPostgres()).createDatabase('media', 'media');
  const services = await startOthers();
  const storage = {
    S3_ENDPOINT: env.S3_ENDPOINT ?? (await startScript('s3', 'media-throughput/s3-server.ts')).url,
    S3_BUCKET: env.S3_BUCKET ?? 'bench',
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID ?? 'bench',
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY ?? 'bench',
  };
  const bare = await startScript('bare', 'media-throughput/bare.ts', storage);

  const media = await startService('media', services.url, {
    ...storage,
    STORAGE: 's3',
    DATABASE_URL: databaseUrl,
    PLAYBACK_SECRET: 'a secret for the benchmark',
    MAX_VIDEO_BYTES: String(8 * 1024 ** 3),
  });
  const gateway = await startGateway(services.url, {
    MEDIA_URL: media.url,
    RATE_LIMIT_UPLOAD: '1000000',
    RATE_LIMIT_PLAYBACK: '1000000',
    QUOTAS_ENABLED: 'false',
  });

  const topicId = createId();
  const urlsAt = (url: string) => ({
    uploadUrl: `${url}/api/admin/education/topics/${topicId}/video`,
    url: `${url}/api/education/topics/${topicId}/video`,
  });
  const admin = testPrincipal(['ADMIN'], { plan: 'ENTERPRISE' });
  const bearer = { authorization: `Bearer ${await services.tokenOf(`a${admin.userId.slice(1)}`)}` };
  // Passports are valid for a minute, so each request gets its own.
  const passport = () => ({ [passportHeader]: signPassport(admin) });
  const throughBare = { through: 'bare fastify', uses: ['bare'], atLeast: 1, headers: () => ({}) };
  const throughMedia = { through: 'media', uses: ['media'], atLeast: 0.85, headers: passport };
  const throughBoth = { through: 'gateway and media', uses: ['gateway', 'media'], atLeast: 0.6, headers: () => bearer };
  const viaGateway: Target = { ...throughBoth, ...urlsAt(gateway.url) };

  return {
    ...{ sql, topicId, bearer, viaGateway },
    gatewayUrl: gateway.url,
    pids: { bare: bare.pid, media: media.pid, gateway: gateway.pid },
    targets: [
      { ...throughBare, uploadUrl: `${bare.url}/video`, url: `${bare.url}/video` },
      { ...throughMedia, ...urlsAt(media.url) },
      viaGateway,
    ],
  };
}

const boundary = 'bench-boundary';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n\0\0\0\x18ftypisom\0\0\0\0isomavc1`,
  'latin1',
);
const signatureLength = 24;
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const block = Buffer.alloc(1024 * 1024, 'lms');
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** The form with a video of this many bytes. */
function* form(bytes: number) {
  yield head;
  for (let left = bytes - signatureLength; left > 0; left -= block.length) yield block.subarray(0, left);
  yield tail;
}

export async function upload({ uploadUrl, headers }: Target, bytes: number) {
  const length = head.length + bytes - signatureLength + tail.length;
  const { statusCode, body } = await request(uploadUrl, {
    ...{ method: 'PUT', dispatcher, body: Readable.from(form(bytes)) },
    headers: {
      ...headers(),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`upload returned ${statusCode}`);
}

export async function download({ url, headers }: Target, bytes: number) {
  const { body } = await request(url, { dispatcher, headers: headers() });
  let received = 0;
  for await (const chunk of body) received += chunk.length;
  if (received !== bytes) throw new Error(`${received} bytes instead of ${bytes}`);
}
