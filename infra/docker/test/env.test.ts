import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import t, { type Test } from 'tap';
import { root } from './compose-file.ts';

function temporaryDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'lms-env-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
const runEnvScript = (directory: string, env: Record<string, string> = {}) =>
  execFileSync(process.execPath, [join(root, 'infra/docker/env/main.mjs'), directory], { env, stdio: 'pipe' });
const read = (directory: string, file: string) => readFileSync(join(directory, file), 'utf8');
const variables = (directory: string) => parseEnv(read(directory, '.env'));

t.test('secrets are generated, unique and readable only by their owner', async (t) => {
  const [one, two] = [temporaryDirectory(t), temporaryDirectory(t)];
  runEnvScript(one);
  runEnvScript(two);
  const [first, second] = [variables(one), variables(two)];
  const secrets = Object.keys(first).filter((name) => /PASSWORD$|SECRET$|_KEY$|_ID$/.test(name));
  t.equal(secrets.length, 22);
  for (const name of secrets) {
    t.ok((first[name] ?? '').length >= 20, `${name} is long`);
    t.not(first[name], second[name], `${name} differs between environments`);
  }
  t.equal(new Set(secrets.map((name) => first[name])).size, secrets.length, 'all secrets differ');
  t.equal(statSync(join(one, '.env')).mode & 0o077, 0);
  t.equal(statSync(join(one, '.secrets')).mode & 0o077, 0);
  const key = createPrivateKey(read(one, '.secrets/passport-private-key.pem'));
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  t.equal(publicKey, read(one, '.secrets/passport-public-key.pem'), 'the keys are a key pair');
});

t.test('existing values are kept, and missing settings are added', async (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(
    join(directory, '.env'),
    '# mine\nGATEWAY_PORT=9999\nREDIS_PASSWORD=chosen\nPLAYBACK_SECRET=\nOTHER=x\n',
  );
  runEnvScript(directory);
  const text = read(directory, '.env');
  t.equal(statSync(join(directory, '.env')).mode & 0o077, 0);
  t.match(text, /^# mine\nGATEWAY_PORT=9999\nREDIS_PASSWORD=chosen\nPLAYBACK_SECRET=\w{20,}\nOTHER=x\n/);
  t.match(variables(directory), { IDP_PORT: '8090', POSTGRES_PASSWORD: /^\w{20,}$/ });
  const keys = read(directory, '.secrets/passport-private-key.pem');
  runEnvScript(directory);
  t.equal(read(directory, '.env'), text, 'a second run changes nothing');
  t.equal(read(directory, '.secrets/passport-private-key.pem'), keys);
});

t.test('secrets can be given in the environment', async (t) => {
  const directory = temporaryDirectory(t);
  runEnvScript(directory, { S3_ACCESS_KEY_ID: 'given', GATEWAY_PORT: '1' });
  t.match(variables(directory), { S3_ACCESS_KEY_ID: 'given', GATEWAY_PORT: '8080' });
});

t.test('secrets are excluded from images and git', async (t) => {
  for (const file of ['.dockerignore', '.gitignore']) {
    const lines = read(root, file).split('\n');
    for (const secret of [/^\.env$/, /^\.secrets\/?$/])
      t.ok(
        lines.some((line) => secret.test(line)),
        `${file}: ${secret}`,
      );
  }
});
