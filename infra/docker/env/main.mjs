// `npm run env`: creates .env and .secrets/ for `docker compose up`. It imports only Node.js modules, so it needs no installation.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
process.chdir(process.argv[2] ?? repository);
const template = readFileSync(`${repository}/.env.example`, 'utf8');
const isNew = !existsSync('.env');
const current = isNew ? template : readFileSync('.env', 'utf8');
const [defaults, existing] = [parseEnv(template), parseEnv(current)];

const missing = Object.keys(defaults).filter((name) => !(name in existing));
const added = missing.map((name) => `\n${name}=${defaults[name]}`).join('');
// Existing values are kept. The settings that are empty in the template are the secrets.
const filled = `${current.trimEnd()}\n${added && `${added}\n`}`.replace(
  /^([A-Z][A-Z0-9_]*)=[ \t]*$/gm,
  (_line, name) => {
    const generated = defaults[name] === '' ? generateSecret(name) : '';
    return `${name}=${process.env[name] || generated}`;
  },
);
// The mode of `writeFileSync` is that of new files.
if (!isNew) chmodSync('.env', 0o600);
writeFileSync('.env', filled, { mode: 0o600 });

function generateSecret(name) {
  if (name === 'WEBHOOK_SECRET') return `whsec_${randomBytes(32).toString('base64')}`;
  // The configuration of NATS parses unquoted values: 1e5 would be a number.
  return (name.startsWith('NATS_') ? 'n' : '') + randomBytes(name === 'S3_ACCESS_KEY_ID' ? 10 : 24).toString('hex');
}

// Other users cannot enter the directory. The files are world-readable, because containers read them as another user.
const keyFile = (kind) => `.secrets/passport-${kind}-key.pem`;
if (!existsSync(keyFile('private')) || !existsSync(keyFile('public'))) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  mkdirSync('.secrets', { recursive: true, mode: 0o700 });
  writeFileSync(keyFile('private'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o644 });
  writeFileSync(keyFile('public'), publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 });
}
console.log(`.env and .secrets/ in ${process.cwd()} are complete; existing values were kept.`);
