import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** A new Ed25519 pair in PEM: the gateway signs passports with the private half, everyone verifies with the public one. */
export function createPassportKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

export const publicKeyOf = (privateKey: string) =>
  createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();
