// `npm run env`: creates .env and .secrets/ for `docker compose up`. It imports only Node.js modules, so it needs no installation.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const folder = process.argv[2] ?? repository;
const file = join(folder, '.env');
const template = readFileSync(join(repository, '.env.example'), 'utf8');
const current = existsSync(file) ? readFileSync(file, 'utf8') : template;
const [defaults, existing] = [parseEnv(template), parseEnv(current)];

const missing = Object.keys(defaults).filter((name) => !(name in existing));
const added = missing.map((name) => `${name}=${defaults[name]}\n`);
const complete = added.length === 0 ? current : `${current.trimEnd()}\n\n${added.join('')}`;
// Existing values are kept. The settings that are empty in the template are the secrets.
const filled = complete.replace(/^([A-Z][A-Z0-9_]*)=[ \t]*$/gm, (_line, name) => {
  const generated = defaults[name] === '' ? generateSecret(name) : '';
  return `${name}=${process.env[name] || generated}`;
});
// The mode of `writeFileSync` is that of new files.
if (existsSync(file)) chmodSync(file, 0o600);
writeFileSync(file, filled, { mode: 0o600 });

function generateSecret(name) {
  if (name === 'WEBHOOK_SECRET') return `whsec_${randomBytes(32).toString('base64')}`;
  if (name === 'S3_ACCESS_KEY_ID') return randomBytes(10).toString('hex');
  const password = randomBytes(24).toString('hex');
  // The configuration of NATS parses unquoted values: 1e5 would be a number.
  return name.startsWith('NATS_') ? `n${password}` : password;
}

// Other users cannot enter the directory. The files are world-readable, because containers read them as another user.
const directory = join(folder, '.secrets');
const [privateFile, publicFile] = ['private', 'public'].map((kind) => join(directory, `passport-${kind}-key.pem`));
if (!existsSync(privateFile) || !existsSync(publicFile)) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(privateFile, privateKey, { mode: 0o644 });
  writeFileSync(publicFile, publicKey, { mode: 0o644 });
}
console.log(`.env and .secrets/ in ${folder} are complete; existing values were kept.`);
