import { once } from 'node:events';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { passportHeader } from '@lms/contracts/passport';
import { migrateDatabase } from '@lms/database/migrate-database';
import { freePort } from '@lms/testing/servers';
import { createId } from '@paralleldrive/cuid2';
import postgres from 'postgres';
import { createOtherServices } from './other-services.ts';
import { start, stopAll } from './processes.ts';
import type { Target } from './transfer.ts';

const { env } = process;
const host = '127.0.0.1';
const bench = fileURLToPath(new URL('../media-throughput.ts', import.meta.url));
const opened: (() => Promise<unknown>)[] = [];

export type System = Awaited<ReturnType<typeof startSystem>>;

export async function stopSystem() {
  await stopAll();
  for (const close of opened.toReversed()) await close();
}

/** Starts media and the gateway before it; bare Fastify and the S3 server are roles of the benchmark itself. */
export async function startSystem(superuser = env.BENCH_POSTGRES_URL) {
  if (!superuser) throw new Error('BENCH_POSTGRES_URL is not set');
  const adminSql = postgres(superuser, { max: 1, onnotice: () => undefined });
  opened.push(() => adminSql.end());
  const name = `bench_${createId()}`;
  await adminSql`create database ${adminSql(name)}`;
  opened.push(() => adminSql`drop database ${adminSql(name)} with (force)`);
  const databaseUrl = new URL(superuser);
  databaseUrl.pathname = `/${name}`;
  const migrations = fileURLToPath(new URL('../../../services/media/migrations', import.meta.url));
  await migrateDatabase(databaseUrl.href, migrations);
  const sql = postgres(databaseUrl.href, { max: 1 });
  opened.push(() => sql.end());

  const otherServices = createOtherServices();
  const otherServicesUrl = await listen(otherServices.server);
  const [s3Port, barePort, mediaPort, mediaAdmin, gatewayPort, gatewayAdmin, unusedPort] = await Promise.all(
    Array.from({ length: 7 }, freePort),
  );
  const s3Url = `http://${host}:${s3Port}`;
  if (!env.S3_ENDPOINT) await start(bench, ['sink'], { PORT: String(s3Port) }, s3Url);
  const storage = {
    S3_ENDPOINT: env.S3_ENDPOINT ?? s3Url,
    S3_BUCKET: env.S3_BUCKET ?? 'bench',
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID ?? 'bench',
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY ?? 'bench',
  };
  const bareUrl = `http://${host}:${barePort}`;
  const bare = await start(bench, ['bare'], { ...storage, PORT: String(barePort) }, bareUrl);

  const passportKeys = createPassportKeys();
  const program = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  const noBroker = { NATS_URL: `nats://${host}:${unusedPort}`, REDIS_URL: `redis://${host}:${unusedPort}` };
  const mediaUrl = `http://${host}:${mediaPort}`;
  const media = await start(
    program('services/media/src/main.ts'),
    [],
    {
      ...storage,
      ...noBroker,
      STORAGE: 's3',
      PORT: String(mediaPort),
      ADMIN_PORT: String(mediaAdmin),
      DATABASE_URL: databaseUrl.href,
      PASSPORT_PUBLIC_KEY: passportKeys.publicKey,
      CONTENT_URL: otherServicesUrl,
      PUBLIC_URL: mediaUrl,
      SERVICE_SECRET: 'a secret of at least 32 characters',
      PLAYBACK_SECRET: 'a secret for the benchmark',
      MAX_VIDEO_BYTES: String(8 * 1024 ** 3),
      // One user has a quarter of them.
      MAX_CONCURRENT_UPLOADS: '64',
    },
    `http://${host}:${mediaAdmin}/readyz`,
  );
  const gatewayUrl = `http://${host}:${gatewayPort}`;
  const gateway = await start(
    program('gateway/src/main.ts'),
    [],
    {
      ...noBroker,
      PORT: String(gatewayPort),
      ADMIN_PORT: String(gatewayAdmin),
      IDENTITY_URL: otherServicesUrl,
      CONTENT_URL: otherServicesUrl,
      ENROLLMENT_URL: otherServicesUrl,
      MEDIA_URL: mediaUrl,
      PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
      IDP_ISSUER: otherServicesUrl,
      IDP_JWKS_URL: `${otherServicesUrl}/keys`,
      RATE_LIMIT_GENERAL: '1000000',
      RATE_LIMIT_UPLOAD: '1000000',
      RATE_LIMIT_PLAYBACK: '1000000',
      QUOTAS_ENABLED: 'false',
    },
    `${gatewayUrl}/healthz`,
  );

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
  const bearer = { authorization: `Bearer ${otherServices.token(otherServicesUrl)}` };
  const passport = () => ({ [passportHeader]: signPassport(otherServices.admin) });

  return {
    sql,
    topicId,
    gatewayUrl,
    bearer,
    pids: { bare: bare.pid, media: media.pid, gateway: gateway.pid },
    targets: [
      {
        through: 'bare fastify',
        uses: ['bare'],
        atLeast: 1,
        target: { uploadUrl: `${bareUrl}/video`, url: `${bareUrl}/video`, headers: {} },
      },
      { through: 'media', uses: ['media'], atLeast: 0.85, target: to(mediaUrl, passport) },
      { through: 'gateway and media', uses: ['gateway', 'media'], atLeast: 0.6, target: to(gatewayUrl, () => bearer) },
    ],
    media: { rows: async () => (await sql`select 1 from objects`).length },
    leftovers: async (): Promise<Record<string, number>> =>
      env.S3_ENDPOINT ? {} : JSON.parse(await (await fetch(s3Url)).text()),
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, host);
  await once(server, 'listening');
  opened.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://${host}:${address.port}`;
}
