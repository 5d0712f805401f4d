// `npm run env`: creates .env and .secrets/ for `docker compose up`. It imports only Node.js modules, so it needs no installation.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const folder = process.argv[2] ?? repository;
// Does not match commented lines.
const setting = /^([A-Z][A-Z0-9_]*)=(.*)$/gm;

function generateSecret(name) {
  if (name === 'WEBHOOK_SECRET') return `whsec_${randomBytes(32).toString('base64')}`;
  if (name === 'S3_ACCESS_KEY_ID') return randomBytes(10).toString('hex');
  const password = randomBytes(24).toString('hex');
  // The configuration of NATS parses unquoted values: 1e5 would be a number.
  return name.startsWith('NATS_') ? `n${password}` : password;
}

/**
 * Returns the new .env: the current file, or the template, with empty values filled in and missing settings appended. Existing
 * values are kept; empty ones are taken from `given`, or generated if they are secrets: the settings that are empty in the template.
 */
function fillTemplate(template, current, given) {
  const settings = new Map([...template.matchAll(setting)].map(([, name, value]) => [name, value.trim()]));
  const generated = (name) => (settings.get(name) === '' ? generateSecret(name) : '');
  const fill = (name, value) => `${name}=${value || given[name] || generated(name)}`;
  const filled = (current ?? template).replace(setting, (_line, name, value) => fill(name, value.trim()));
  const known = new Set([...filled.matchAll(setting)].map(([, name]) => name));
  const added = [...settings].filter(([name]) => !known.has(name)).map(([name, value]) => fill(name, value));
  return added.length === 0 ? filled : `${filled.trimEnd()}\n\n${added.join('\n')}\n`;
}

const file = join(folder, '.env');
const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
const template = readFileSync(join(repository, '.env.example'), 'utf8');
// The mode of `writeFileSync` is that of new files.
if (current !== undefined) chmodSync(file, 0o600);
writeFileSync(file, fillTemplate(template, current, process.env), { mode: 0o600 });

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
