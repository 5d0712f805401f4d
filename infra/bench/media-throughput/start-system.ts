import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { passportHeader } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { createId } from '@paralleldrive/cuid2';
import { freePort } from '../harness/processes.ts';
import type { Bench } from '../harness/run-bench.ts';
import type { Target } from './transfer.ts';

const { env } = process;

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Starts media and the gateway before it, a bare Fastify, and the S3 server. */
export async function startSystem({ openPostgres, startScript, startService, startGateway }: Bench) {
  const { url: databaseUrl, sql } = await (await openPostgres()).openDatabase('media', 'media');
  const services = await startScript('services', 'harness/other-services.ts');
  const s3Url = env.S3_ENDPOINT ?? (await startScript('s3', 'media-throughput/s3-server.ts')).url;
  const storage = {
    S3_ENDPOINT: s3Url,
    S3_BUCKET: env.S3_BUCKET ?? 'bench',
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID ?? 'bench',
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY ?? 'bench',
  };
  const bare = await startScript('bare', 'media-throughput/bare.ts', storage);

  const passportKeys = createPassportKeys();
  const unusedPort = await freePort();
  const noBroker = { NATS_URL: `nats://127.0.0.1:${unusedPort}`, REDIS_URL: `redis://127.0.0.1:${unusedPort}` };
  const media = await startService('media', services.url, {
    ...storage,
    ...noBroker,
    STORAGE: 's3',
    DATABASE_URL: databaseUrl,
    PASSPORT_PUBLIC_KEY: passportKeys.publicKey,
    PLAYBACK_SECRET: 'a secret for the benchmark',
    MAX_VIDEO_BYTES: String(8 * 1024 ** 3),
    // One user has a quarter of them.
    MAX_CONCURRENT_UPLOADS: '64',
  });
  const gateway = await startGateway(services.url, {
    ...noBroker,
    MEDIA_URL: media.url,
    PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
    RATE_LIMIT_UPLOAD: '1000000',
    RATE_LIMIT_PLAYBACK: '1000000',
    QUOTAS_ENABLED: 'false',
  });

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
    pids: { bare: bare.pid, media: media.pid, gateway: gateway.pid },
    targets: [
      {
        ...{ through: 'bare fastify', uses: ['bare'], atLeast: 1 },
        target: { uploadUrl: bareUrl, url: bareUrl, headers: {} },
      },
      { through: 'media', uses: ['media'], atLeast: 0.85, target: to(media.url, passport) },
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
