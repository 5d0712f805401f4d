import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { type Client, createClient, unwrap } from '@lms/client';
import { untilFinished } from '@lms/client/jobs';
import { Flag, HttpOrigin, PrivatePem } from '@lms/config/settings';
import { ResolvedPrincipal, resolvePrincipalPath, type TokenClaims } from '@lms/contracts/internal/identity';
import { type Principal, passportHeader } from '@lms/contracts/passport';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ZipFile } from 'yazl';
import { signIn } from '../running-stack.ts';
import { messageOf, StartFailed } from '../supervisor/process.ts';

/** What the seeding reads from the environment. */
export const SeedSettings = Type.Object({
  SEED: Flag(true),
  /** The folder of seed.json. */
  DATA_DIR: Type.String({ default: '.data' }),
  IDENTITY_URL: HttpOrigin(),
  CONTENT_URL: HttpOrigin(),
  ENROLLMENT_URL: HttpOrigin(),
  /** The issuer of the tokens that the gateway accepts. */
  IDP_ISSUER: Type.String(),
  /** The local provider and its issuer. If the gateway accepts tokens of another one, no accounts are registered. */
  IDP_URL: HttpOrigin(),
  LOCAL_ISSUER: Type.String(),
  PASSPORT_PRIVATE_KEY: PrivatePem(),
});
type SeedSettings = Static<typeof SeedSettings>;

/** The state of the seeding: an interrupted one is completed, a completed one is never repeated. */
interface Progress {
  accounts: boolean;
  school: 'none' | 'begun' | 'done';
}

const fileIn = (directory: string) => join(directory, 'seed.json');

/** Whether the seeding of a data directory is complete. */
export function isSeeded(directory: string, sampleContent: boolean): boolean {
  const { accounts, school } = readProgress(directory);
  return accounts && (school === 'done' || !sampleContent);
}

/** Runs once per data directory, and only in an empty system, so that later changes and deletions are never reverted. */
export async function seed(settings: SeedSettings, report: (line: string) => void): Promise<void> {
  const { SEED, DATA_DIR, IDP_ISSUER, LOCAL_ISSUER, PASSPORT_PRIVATE_KEY } = settings;
  if (isSeeded(DATA_DIR, SEED)) return;
  const { school } = readProgress(DATA_DIR);
  const clientOf = (baseUrl: string, principal: Principal = seedAdmin) =>
    createClient({ baseUrl, fetch: createPassportFetch(PASSPORT_PRIVATE_KEY, principal) });
  try {
    const learner =
      IDP_ISSUER === LOCAL_ISSUER ? await registerAccounts(settings, clientOf(settings.IDENTITY_URL)) : undefined;
    writeProgress(DATA_DIR, { accounts: true, school });
    if (!SEED) return;
    const content = clientOf(settings.CONTENT_URL);
    const query = { includeDeleted: true, limit: 1 };
    const levels = await unwrap(content.GET('/api/admin/education/levels', { params: { query } }));
    if (school === 'none' && levels.length > 0) {
      report('seed               skipped: the system already has content');
    } else {
      writeProgress(DATA_DIR, { accounts: true, school: 'begun' });
      await importSchool(content, report);
      const url = settings.ENROLLMENT_URL;
      if (learner) await enrollLearner(content, clientOf(url), clientOf(url, learner));
      report('seed               sample content created');
    }
    writeProgress(DATA_DIR, { accounts: true, school: 'done' });
  } catch (error) {
    throw new StartFailed('seed', messageOf(error));
  }
}

function readProgress(directory: string): Progress {
  const file = fileIn(directory);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { accounts: false, school: 'none' };
}

function writeProgress(directory: string, progress: Progress): void {
  const file = fileIn(directory);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(progress)}\n`, { flush: true });
  renameSync(`${file}.tmp`, file);
}

/** Imports the sample content. What exists from an interrupted attempt stays. */
async function importSchool(content: Client, report: (line: string) => void): Promise<void> {
  const open = await unwrap(content.GET('/api/admin/education/imports', { params: { query: { limit: 100 } } }));
  // The import of an interrupted attempt would otherwise be continued later. If it has just ended, it cannot be cancelled.
  for (const { id, finishedAt } of open)
    if (finishedAt === null)
      await content.POST('/api/admin/education/imports/{id}/cancel', { params: { path: { id } } });

  const started = await unwrap(content.importCurriculum({ file: await createArchive() }));
  const { status, issues } = await untilFinished(started, (id) =>
    unwrap(content.GET('/api/admin/education/imports/{id}', { params: { path: { id } } })),
  );
  if (status !== 'completed')
    throw new Error(`The import of the sample content is ${status}: ${JSON.stringify(issues).slice(0, 500)}`);
  // The sample content is usable without its files.
  for (const { pointer, message } of issues) report(`seed               ${pointer}: ${message}`);
}

/** The curriculum with its files. */
async function createArchive(): Promise<File> {
  const archive = new ZipFile();
  const add = (asset: string, name = asset) =>
    archive.addFile(fileURLToPath(new URL(`../../assets/${asset}`, import.meta.url)), name);
  add('school.json', 'curriculum.json');
  for (const file of ['number-line.mp4', 'number-line.vtt', 'whole-numbers.pdf']) add(file);
  archive.end();
  return new File([await buffer(archive.outputStream)], 'school.zip', { type: 'application/zip' });
}

/** Enrolls the learner in the subject of the mentor, unless an interrupted attempt has. */
async function enrollLearner(content: Client, admin: Client, learner: Client): Promise<void> {
  const params = { query: { externalId: 'sample-mathematics' } };
  const [subject] = await unwrap(content.GET('/api/admin/education/subjects', { params }));
  const subjectId = subject?.id ?? '';
  const [existing] = await unwrap(learner.GET('/api/enrollment', { params: { query: { subjectId } } }));
  const body = { subjectId, message: 'I would like to learn about whole numbers.' };
  const { id, status } = existing ?? (await unwrap(learner.POST('/api/enrollment/request', { body })));
  if (status === 'PENDING') await unwrap(admin.PUT('/api/admin/enrollment/{id}/approve', { params: { path: { id } } }));
}

// Just after the start, a service may respond with 503 although it is ready.
const retryTimeoutMs = 60_000;
const retryDelayMs = 500;

/**
 * Sends requests to services as a user, or as the gateway itself, with passports like those of the gateway. Such requests have
 * no rate limits and quotas.
 */
function createPassportFetch(privateKey: string, principal: Principal | null) {
  const signPassport = createPassportSigner(privateKey);
  return async (request: Request): Promise<Response> => {
    const deadline = Date.now() + retryTimeoutMs;
    for (;;) {
      const attempt = new Request(request.clone(), { signal: AbortSignal.timeout(30_000) });
      attempt.headers.set(passportHeader, signPassport(principal));
      const response = await fetch(attempt);
      if (response.status !== 503 || Date.now() > deadline) return response;
      await response.body?.cancel();
      await pause(retryDelayMs);
    }
  };
}

/** Users may be at another identity provider, so the administrator who seeds is none of them. */
const seedAdmin: Principal = {
  userId: 'seed00000000000000000000',
  identityProviderId: 'local-stack',
  email: 'seed-admin@invalid',
  emailVerified: true,
  firstName: null,
  lastName: null,
  roles: ['ADMIN'],
  status: 'ACTIVE',
  plan: 'ENTERPRISE',
};

/** Signs the three accounts in for the first time, and gives them their role and plan. @returns the learner */
async function registerAccounts(settings: SeedSettings, identity: Client): Promise<Principal> {
  const sendAsGateway = createPassportFetch(settings.PASSPORT_PRIVATE_KEY, null);
  const register = async (email: string): Promise<Principal> => {
    const token = await signIn(settings.IDP_URL, email);
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    // As the gateway sends them.
    const claims: TokenClaims = {
      identityProviderId: payload.sub,
      email: payload.email,
      emailVerified: payload.email_verified,
      firstName: payload.given_name ?? null,
      lastName: payload.family_name ?? null,
    };
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(claims) };
    const response = await sendAsGateway(new Request(new URL(resolvePrincipalPath, settings.IDENTITY_URL), init));
    if (!response.ok) throw new Error(`${email} was not registered: ${response.status} ${await response.text()}`);
    return Value.Parse(ResolvedPrincipal, await response.json()).data;
  };
  const admin = await register('admin@lms.test');
  const mentor = await register('mentor@lms.test');
  const idOf = ({ userId: id }: Principal) => ({ params: { path: { id } } });
  // With other BOOTSTRAP_ADMIN_EMAILS, the account is that of a learner.
  if (admin.roles.includes('ADMIN'))
    await unwrap(identity.PUT('/api/users/{id}', { ...idOf(admin), body: { plan: 'ENTERPRISE' } }));
  if (!mentor.roles.includes('MENTOR'))
    await unwrap(identity.POST('/api/users/{id}/roles', { ...idOf(mentor), body: { role: 'MENTOR' } }));
  return register('learner@lms.test');
}
