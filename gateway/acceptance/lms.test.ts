import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { call, createUser, gatewayUrl, tokenOf } from './system.ts';

const admin = await tokenOf('admin@lms.test');

interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (cwd: string, program: string[], args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<Output>((done) => {
    const command = [...program, ...args, '--url', gatewayUrl];
    execFile(process.execPath, command, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });

/** As `npm run lms` in a folder of the user. */
const npmRunLms = (folder: string, args: string[]) =>
  run('.', ['infra/local/run.mjs', 'lms'], args, { INIT_CWD: folder, LMS_TOKEN: admin });

/** As the installed command. */
const lms = (folder: string, args: string[], token = admin) =>
  run(folder, [resolve('packages/cli/dist/main.js')], args, { LMS_TOKEN: token });

async function createSubject(externalId: string) {
  const post = async (type: string, json: object) => {
    const { status, body } = await call(`/api/admin/education/${type}`, { method: 'POST', token: admin, json });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const text = { name: externalId, description: 'x' };
  const { id: educationLevelId } = await post('levels', text);
  const { id: gradeId } = await post('grades', { ...text, level: 'primary', educationLevelId });
  return post('subjects', { ...text, gradeId, externalId });
}

t.test('the command line imports and exports rosters', async (t) => {
  const externalId = `roster-${process.pid}-${Date.now().toString(36)}`;
  const [subject, learner, other] = await Promise.all([
    createSubject(externalId),
    createUser('ann'),
    createUser('eve'),
  ]);
  // The first request of a user creates the account.
  for (const { token } of [learner, other]) await call('/api/auth/profile', { token });
  const roster = (...lines: string[]) => ['email,subjectExternalId,expiresAt', ...lines, ''].join('\r\n');
  const folder = t.testdir({
    'good.csv': roster(`${learner.email},${externalId},2099-12-31`, `${other.email},${externalId},`),
    'bad.csv': roster(`${learner.email},${externalId},`, `unknown@lms.test,${externalId},`),
    'other.txt': 'name\nx',
  });

  t.match(await npmRunLms(folder, ['roster', 'import', 'good.csv', '--dry-run']), {
    code: 0,
    stdout: 'Dry run: 2 created, 0 approved, 0 unchanged, 0 failed; nothing was changed',
  });
  t.match(await lms(folder, ['roster', 'import', 'good.csv']), { code: 0, stdout: '2 created, 0 approved' });
  const [partly, unknown, missing, forbidden, usage, status] = await Promise.all([
    lms(folder, ['roster', 'import', 'bad.csv']),
    lms(folder, ['roster', 'import', 'other.txt']),
    lms(folder, ['roster', 'import', 'missing.csv']),
    lms(folder, ['roster', 'import', 'good.csv'], learner.token),
    lms(folder, ['roster', 'erase']),
    lms(folder, ['roster', 'export', '--status', 'GONE']),
  ]);
  t.match(partly, {
    code: 1,
    stdout: '0 created, 0 approved, 1 unchanged, 1 failed',
    stderr: 'line 3: NOT_FOUND User not found',
  });
  t.match(unknown, { code: 1, stderr: 'unknown column' });
  t.match(missing, { code: 1, stderr: 'cannot be read' });
  t.match(forbidden, { code: 1, stderr: 'FORBIDDEN' });
  t.match(usage, { code: 2, stderr: 'Usage: lms' });
  t.match(status, { code: 2, stderr: /--status .* Allowed choices are PENDING/ });

  const exports = await Promise.all([
    lms(folder, ['roster', 'export', '--subject', subject.id]),
    lms(folder, ['roster', 'export', '--status', 'APPROVED', '-o', 'all.csv']),
  ]);
  for (const exported of exports) t.match(exported, { code: 0, stdout: 'Saved' });
  const learners = await readFile(join(folder, `learners-${subject.id}.csv`), 'utf8');
  t.equal(learners.trim().split('\r\n').length, 3, 'the header and two learners');
  const all = await readFile(join(folder, 'all.csv'), 'utf8');
  t.ok(all.includes(`${learner.email},`) && all.includes('2099-12-31T00:00:00.000Z'));
});

t.test('the command line exports the curriculum', async (t) => {
  const externalId = `export-${process.pid}-${Date.now().toString(36)}`;
  const { id } = await createSubject(externalId);
  const folder = t.testdir();
  const root = ['--root-type', 'subject', '--root-id', id];
  const [saved, format, half, unknown] = await Promise.all([
    lms(folder, ['export', '--format', 'json', ...root, '-o', 'out.json']),
    npmRunLms(folder, ['export', '--format', 'pdf']),
    lms(folder, ['export', '--root-type', 'subject']),
    lms(folder, ['export', '--root-type', 'topic', '--root-id', id]),
  ]);
  t.match(saved, { code: 0, stdout: 'Saved' });
  const exported = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'));
  t.match(exported.levels, [{ name: externalId, grades: [{ subjects: [{ externalId }] }] }]);
  t.match(format, { code: 2, stderr: /--format .* Allowed choices are json/ });
  t.match(half, { code: 2, stderr: 'belong together' });
  t.match(unknown, { code: 1, stderr: 'NOT_FOUND' });
});

t.test('the command line imports a curriculum', async (t) => {
  const suffix = `${process.pid}-${Date.now().toString(36)}`;
  const text = { description: 'x' };
  const subjects = [{ ...text, name: 'Subject', externalId: `subject-${suffix}`, topics: [] }];
  const grades = [{ ...text, name: 'Grade', externalId: `grade-${suffix}`, level: 'primary', subjects }];
  const course = { version: 1, levels: [{ ...text, name: suffix, externalId: `level-${suffix}`, grades }] };
  const broken = { version: 1, levels: [{ ...text, name: ' ', externalId: `other-${suffix}` }] };
  const folder = t.testdir({ 'course.json': JSON.stringify(course), 'broken.json': JSON.stringify(broken) });

  const dryRun = await lms(folder, ['import', 'course.json', '--dry-run']);
  t.match(dryRun, { code: 0, stdout: 'Dry run: 3 created, 0 updated, 0 unchanged' });
  t.match(await lms(folder, ['import', 'course.json']), { code: 0, stdout: '3 created, 0 updated, 0 unchanged' });
  t.match(await lms(folder, ['import', 'course.json']), { code: 0, stdout: '0 created, 0 updated, 3 unchanged' });
  const [existing, invalid, usage] = await Promise.all([
    lms(folder, ['import', 'course.json', '--mode', 'create']),
    lms(folder, ['import', 'broken.json']),
    lms(folder, ['import', 'course.json', '--mode', 'erase']),
  ]);
  t.match(existing, { code: 1, stderr: '/levels/0' });
  t.match(invalid, { code: 1, stderr: '/levels/0' });
  t.match(usage, { code: 2, stderr: /--mode .* Allowed choices are create/ });
});
