// Measures uploads and downloads of a gibibyte: bare Fastify, media alone, and gateway and media. Needs a superuser:
// BENCH_POSTGRES_URL=postgres://... [BENCH_MIB=1024] [BENCH_ROUNDS=3] [S3_ENDPOINT=... S3_BUCKET=... S3_ACCESS_KEY_ID=... S3_SECRET_ACCESS_KEY=...]
import { once } from 'node:events';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { passportHeader } from '@lms/contracts/passport';
import { migrateDatabase } from '@lms/database/migrate-database';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { createId } from '@paralleldrive/cuid2';
import postgres from 'postgres';
import { createBare } from './media-throughput/bare.ts';
import { createOtherServices } from './media-throughput/other-services.ts';
import { start, stopAll, watch } from './media-throughput/processes.ts';
import { createS3Server } from './media-throughput/s3-server.ts';
import { download, openDownload, openUpload, sendBytes, type Target, upload } from './media-throughput/transfer.ts';

const [, self = '', role] = process.argv;
const { env } = process;
const host = '127.0.0.1';
const opened: (() => Promise<unknown>)[] = [];

if (role === 'sink') createS3Server().listen(Number(env.PORT), host);
else if (role === 'bare')
  await createBare({
    endpoint: env.S3_ENDPOINT ?? '',
    bucket: env.S3_BUCKET ?? '',
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  }).listen({ port: Number(env.PORT), host });
else await compare();

async function compare() {
  const bytes = Number(env.BENCH_MIB ?? 1_024) * 1024 * 1024;
  const rounds = Number(env.BENCH_ROUNDS ?? 3);
  try {
    const system = await startSystem();
    await throughput(system, bytes, rounds);
    await manyReaders(system, bytes);
    await abortedTransfers(system);
  } finally {
    await stopAll();
    for (const close of opened.toReversed()) await close();
  }
}

type System = Awaited<ReturnType<typeof startSystem>>;
type Run = Awaited<ReturnType<typeof watch<number>>>;

async function throughput({ targets, pids }: System, bytes: number, rounds: number) {
  console.log('| direction | through | MiB/s | of bare | CPU seconds per GiB | memory growth (MiB) |');
  console.log('| --- | --- | --: | --: | --- | --- |');
  for (const [direction, transfer] of [
    ['in', upload],
    ['out', download],
  ] as const) {
    const runs = targets.map((): Run[] => []);
    // In turns, so that other load on the machine affects all of them.
    for (let round = 0; round < rounds; round += 1)
      for (const [at, { target }] of targets.entries())
        runs[at]?.push(await watch(pids, () => transfer(target, bytes)));
    const seconds = runs.map((of) => median(of.map(({ value }) => value)));
    for (const [at, { through, uses, atLeast }] of targets.entries()) {
      const of = runs[at] ?? [];
      const taken = seconds[at] ?? Number.NaN;
      const each = (format: (name: string) => string) => uses.map((name) => `${name} ${format(name)}`).join(', ');
      const gibibytes = bytes / 1024 ** 3;
      const used = each((name) => (median(of.map((run) => run.used[name] ?? 0)) / gibibytes).toFixed(1));
      const grown = each((name) => Math.max(...of.map((run) => run.grown[name] ?? 0)).toFixed(0));
      if ((seconds[0] ?? 0) / taken < atLeast) process.exitCode = 1;
      const speed = ((gibibytes * 1024) / taken).toFixed(0);
      console.log(
        `| ${direction} | ${through} | ${speed} | ${((seconds[0] ?? 0) / taken).toFixed(2)} | ${used} | ${grown} |`,
      );
    }
  }
}

/** Fifty concurrent readers of ranges, of a small object and of a large one. */
async function manyReaders({ targets, pids }: System, bytes: number) {
  const gateway = targets.at(-1)?.target;
  if (!gateway) throw new Error('no gateway');
  const part = 1024 * 1024;
  for (const size of [16 * part, bytes]) {
    await upload(gateway, size);
    const reader = async (_: unknown, number: number) => {
      for (let round = 0; round < 10; round += 1) {
        const start = ((number * 7_919 + round * 104_729) % Math.max(1, size / part - 1)) * part;
        await download(gateway, part, `bytes=${start}-${start + part - 1}`);
      }
    };
    const { grown } = await watch(pids, () => Promise.all(Array.from({ length: 50 }, reader)));
    const growths = ['media', 'gateway'].map((name) => `${name} by ${grown[name]?.toFixed(0)} MiB`).join(', ');
    console.log(`\n50 readers of ranges of ${size / part} MiB: ${growths}`);
  }
}

/** Aborts uploads and downloads halfway. */
async function abortedTransfers({ targets, media, leftovers }: System) {
  const [, direct, gateway] = targets.map(({ target }) => target);
  if (!direct || !gateway) throw new Error('no targets');
  for (const target of [direct, gateway]) {
    // Media releases the slot of an upload when its row is gone.
    const state = async () => JSON.stringify([await leftovers(), await media.rows()]);
    const before = await state();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const sending = openUpload(target, 64 * 1024 * 1024);
        sending.on('error', () => undefined);
        await sendBytes(sending, 20 * 1024 * 1024);
        sending.destroy();
      }),
    );
    const readers = await Promise.all(Array.from({ length: 20 }, () => openDownload(target)));
    for (const reader of readers) reader.destroy();
    const isAsBefore = async () => (await state()) === before;
    await waitFor(isAsBefore, { timeoutMs: 15_000, until: `nothing left: ${await state()}` });
  }
  const { objects, open, running } = await leftovers();
  console.log(
    `\nAfter 20 aborted uploads and 40 aborted downloads: ${await media.rows()} row, ${objects} objects, ${open} open uploads, ${running} open requests in storage.`,
  );
}

async function startSystem() {
  const superuser = env.BENCH_POSTGRES_URL;
  if (!superuser) throw new Error('BENCH_POSTGRES_URL is not set');
  const adminSql = postgres(superuser, { max: 1, onnotice: () => undefined });
  opened.push(() => adminSql.end());
  const name = `bench_${createId()}`;
  await adminSql`create database ${adminSql(name)}`;
  opened.push(() => adminSql`drop database ${adminSql(name)} with (force)`);
  const databaseUrl = new URL(superuser);
  databaseUrl.pathname = `/${name}`;
  const migrations = fileURLToPath(new URL('../../services/media/migrations', import.meta.url));
  await migrateDatabase(databaseUrl.href, migrations);
  const sql = postgres(databaseUrl.href, { max: 1 });
  opened.push(() => sql.end());

  const otherServices = createOtherServices();
  const otherServicesUrl = await listen(otherServices.server);
  const [s3Port, barePort, mediaPort, mediaAdmin, gatewayPort, gatewayAdmin, unusedPort] = await Promise.all(
    Array.from({ length: 7 }, freePort),
  );
  const s3Url = `http://${host}:${s3Port}`;
  if (!env.S3_ENDPOINT) await start(self, ['sink'], { PORT: String(s3Port) }, s3Url);
  const storage = {
    S3_ENDPOINT: env.S3_ENDPOINT ?? s3Url,
    S3_BUCKET: env.S3_BUCKET ?? 'bench',
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID ?? 'bench',
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY ?? 'bench',
  };
  const bareUrl = `http://${host}:${barePort}`;
  const bare = await start(self, ['bare'], { ...storage, PORT: String(barePort) }, bareUrl);

  const passportKeys = createPassportKeys();
  const program = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
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

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
