import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { messageOf } from './supervisor/process.ts';

const Passwords = Type.Object({ owner: Type.String(), service: Type.String() });
const Secrets = Type.Object({
  passport: Type.Object({ privateKey: Type.String(), publicKey: Type.String() }),
  webhook: Type.String(),
  playback: Type.String(),
  service: Type.String(),
  databases: Type.Object({ identity: Passwords, content: Passwords, media: Passwords, enrollment: Passwords }),
});
export type Secrets = Static<typeof Secrets>;

/** The keys and passwords that the processes of a stack share, stored in its data directory. */
export function loadOrCreateSecrets(directory: string): Secrets {
  const path = join(directory, 'secrets.json');
  const existing = existsSync(path) ? readJson(path) : {};
  if (Value.Check(Secrets, existing)) return existing;
  // The file of an earlier release lacks newer secrets.
  const secrets = Value.Parse(Secrets, { ...generateSecrets(), ...Object(existing) });
  writeFileSync(`${path}.tmp`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  return secrets;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`);
  }
}

function generateSecrets(): Secrets {
  const passwords = () => ({ owner: generatePassword(), service: generatePassword() });
  return {
    passport: generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }),
    webhook: `whsec_${randomBytes(32).toString('base64')}`,
    playback: generatePassword(),
    service: generatePassword(),
    databases: { identity: passwords(), content: passwords(), media: passwords(), enrollment: passwords() },
  };
}

const generatePassword = () => randomBytes(32).toString('hex');
