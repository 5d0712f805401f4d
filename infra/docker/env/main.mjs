// `npm run env`: creates .env and .secrets/ for `docker compose up`. It imports only Node.js modules, so it needs no installation.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillTemplate } from './fill-template.mjs';
import { makePassportKeys } from './make-secrets.mjs';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const folder = process.argv[2] ?? repository;
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

const template = readFileSync(join(repository, '.env.example'), 'utf8');
const file = join(folder, '.env');
writeFileSync(file, fillTemplate(template, read(file), process.env), { mode: 0o600 });

// Other users cannot enter the directory. The files are world-readable, because containers read them as another user.
const directory = join(folder, '.secrets');
const [privateFile, publicFile] = ['private', 'public'].map((kind) => join(directory, `passport-${kind}-key.pem`));
if (!existsSync(privateFile) || !existsSync(publicFile)) {
  const { privateKey, publicKey } = makePassportKeys();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(privateFile, privateKey, { mode: 0o644 });
  writeFileSync(publicFile, publicKey, { mode: 0o644 });
}
console.log(`.env and .secrets/ in ${folder} are complete; existing values were kept.`);
