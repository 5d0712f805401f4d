// `npm run env`: what `docker compose up` needs to know, made up once. It imports Node alone: no install comes before it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillTemplate } from './fill-template.mjs';
import { makePassportKeys } from './make-secrets.mjs';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const place = process.argv[2] ?? repository;
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

const template = readFileSync(join(repository, '.env.example'), 'utf8');
const file = join(place, '.env');
writeFileSync(file, fillTemplate(template, read(file), process.env), { mode: 0o600 });

// Nobody else gets past the directory; in its container, the process that reads a file in it is another user.
const directory = join(place, '.secrets');
const [privateFile, publicFile] = ['private', 'public'].map((kind) => join(directory, `passport-${kind}-key.pem`));
if (!existsSync(privateFile) || !existsSync(publicFile)) {
  const { privateKey, publicKey } = makePassportKeys();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(privateFile, privateKey, { mode: 0o644 });
  writeFileSync(publicFile, publicKey, { mode: 0o644 });
}
console.log(`.env and .secrets/ are in place in ${place}; what was there already has been kept.`);
