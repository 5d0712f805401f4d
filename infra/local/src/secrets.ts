import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Secrets = ReturnType<typeof generateSecrets>;

/** The keys and passwords that the processes of a stack share, stored in its data directory. */
export function loadOrCreateSecrets(directory: string): Secrets {
  const path = join(directory, 'secrets.json');
  // The file of an earlier release lacks newer secrets.
  const secrets: Secrets = { ...generateSecrets(), ...(existsSync(path) && JSON.parse(readFileSync(path, 'utf8'))) };
  writeFileSync(`${path}.tmp`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  return secrets;
}

function generateSecrets() {
  const password = () => randomBytes(32).toString('hex');
  const passwords = () => ({ owner: password(), service: password() });
  return {
    passport: generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }),
    webhook: `whsec_${randomBytes(32).toString('base64')}`,
    playback: password(),
    service: password(),
    databases: { identity: passwords(), content: passwords(), media: passwords(), enrollment: passwords() },
  };
}
