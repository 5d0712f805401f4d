import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { passportHeader } from '@lms/contracts/passport';
import { testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { createId } from '@paralleldrive/cuid2';
import postgres from 'postgres';
import { openPostgres } from '../harness/databases.ts';
import { createProcesses, freePort, untilReachable } from '../harness/processes.ts';
import type { Target } from './transfer.ts';

const { env } = process;
const closing: (() => Promise<void>)[] = [];

export type System = Awaited<ReturnType<typeof startSystem>>;

export async function stopSystem() {
  for (const close of closing.toReversed()) await close();
}

/** Starts media and the gateway before it, a bare Fastify, and the S3 server. */
export async function startSystem() {
  const directory = await mkdtemp(join(tmpdir(), 'media-throughput-'));
  closing.push(() => rm(directory, { recursive: true, force: true }));
  const database = await openPostgres(directory);
  const databaseUrl = await database.createDatabase('media', { service: 'media' });
  const sql = postgres(databaseUrl, { max: 1 });
  const processes = createProcesses(directory);
  closing.push(database.close, sql.end, processes.end);

  const services = await processes.startNode('services', 'harness/other-services.ts');
  const s3Url = env.S3_ENDPOINT ?? (await processes.startNode('s3', 'media-throughput/s3-server.ts')).url;
  const storage = {
    S3_ENDPOINT: s3Url,
    S3_BUCKET: env.S3_BUCKET ?? 'bench',
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID ?? 'bench',
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY ?? 'bench',
  };
  const bare = await processes.startNode('bare', 'media-throughput/bare.ts', storage);

  const passportKeys = createPassportKeys();
  const [mediaPort, unusedPort] = [await freePort(), await freePort()];
  const noBroker = { NATS_URL: `nats://127.0.0.1:${unusedPort}`, REDIS_URL: `redis://127.0.0.1:${unusedPort}` };
  const mediaUrl = `http://127.0.0.1:${mediaPort}`;
  const media = await processes.startCompiled('media', 'services/media/dist/main.js', {
    ...storage,
    ...noBroker,
    STORAGE: 's3',
    PORT: String(mediaPort),
    DATABASE_URL: databaseUrl,
    PASSPORT_PUBLIC_KEY: passportKeys.publicKey,
    CONTENT_URL: services.url,
    PUBLIC_URL: mediaUrl,
    SERVICE_SECRET: testServiceSecret,
    PLAYBACK_SECRET: 'a secret for the benchmark',
    MAX_VIDEO_BYTES: String(8 * 1024 ** 3),
    // One user has a quarter of them.
    MAX_CONCURRENT_UPLOADS: '64',
    LOG_LEVEL: 'warn',
  });
  const gateway = await processes.startGateway('gateway', services.url, {
    ...noBroker,
    MEDIA_URL: mediaUrl,
    PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
    RATE_LIMIT_UPLOAD: '1000000',
    RATE_LIMIT_PLAYBACK: '1000000',
    QUOTAS_ENABLED: 'false',
  });
  await untilReachable(`${mediaUrl}/api/s3/document/stream`);

  const signPassport = createPassportSigner(passportKeys.privateKey);
  const topicId = createId();
  // Passports are valid for a minute, so each request gets its own.
  const to = (url: string, headers: () => Record<string, string>): Target => ({
    uploadUrl: `${url}/api/admin/education/topics/${topicId}/video`,
    url: `${url}/api/education/topics/${topicId}/video`,
    get headers() {
      return headers();
    },
  });
  const admin = testPrincipal(['ADMIN'], { plan: 'ENTERPRISE' });
  const token = await (await fetch(`${services.url}/tokens/a${admin.userId.slice(1)}`)).text();
  const bearer = { authorization: `Bearer ${token}` };
  const passport = () => ({ [passportHeader]: signPassport(admin) });
  const bareUrl = `${bare.url}/video`;

  return {
    sql,
    topicId,
    gatewayUrl: gateway.url,
    bearer,
    pids: { bare: bare.pid, media, gateway: gateway.pid },
    targets: [
      {
        ...{ through: 'bare fastify', uses: ['bare'], atLeast: 1 },
        target: { uploadUrl: bareUrl, url: bareUrl, headers: {} },
      },
      { through: 'media', uses: ['media'], atLeast: 0.85, target: to(mediaUrl, passport) },
      {
        ...{ through: 'gateway and media', uses: ['gateway', 'media'], atLeast: 0.6 },
        target: to(gateway.url, () => bearer),
      },
    ],
    media: { rows: async () => (await sql`select 1 from objects`).length },
    leftovers: async (): Promise<Record<string, number>> =>
      env.S3_ENDPOINT ? {} : JSON.parse(await (await fetch(s3Url)).text()),
  };
}
