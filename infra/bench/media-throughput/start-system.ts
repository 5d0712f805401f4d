import { passportHeader } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { createId } from '@paralleldrive/cuid2';
import type { Bench } from '../harness/run-bench.ts';
import type { Target } from './transfer.ts';

const { env } = process;

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Starts media and the gateway before it, a bare Fastify, and the S3 server. */
export async function startSystem(bench: Bench) {
  const { openPostgres, startOthers, startScript, startService, startGateway, signPassport } = bench;
  const { url: databaseUrl, sql } = await (await openPostgres()).openDatabase('media', 'media');
  const services = await startOthers();
  const s3Url = env.S3_ENDPOINT ?? (await startScript('s3', 'media-throughput/s3-server.ts')).url;
  const storage = {
    S3_ENDPOINT: s3Url,
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
    // One user has a quarter of them.
    MAX_CONCURRENT_UPLOADS: '64',
  });
  const gateway = await startGateway(services.url, {
    MEDIA_URL: media.url,
    RATE_LIMIT_UPLOAD: '1000000',
    RATE_LIMIT_PLAYBACK: '1000000',
    QUOTAS_ENABLED: 'false',
  });

  const topicId = createId();
  const to = (url: string, headers: Target['headers']): Target => ({
    uploadUrl: `${url}/api/admin/education/topics/${topicId}/video`,
    url: `${url}/api/education/topics/${topicId}/video`,
    headers,
  });
  const admin = testPrincipal(['ADMIN'], { plan: 'ENTERPRISE' });
  const bearer = { authorization: `Bearer ${await services.tokenOf(`a${admin.userId.slice(1)}`)}` };
  // Passports are valid for a minute, so each request gets its own.
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
        target: { uploadUrl: bareUrl, url: bareUrl, headers: () => ({}) },
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
