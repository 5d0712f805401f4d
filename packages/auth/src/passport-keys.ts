import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** Creates an Ed25519 key pair in PEM. The gateway signs passports with the private key; services verify with the public key. */
export function createPassportKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

export const publicKeyOf = (privateKey: string) =>
  createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();
