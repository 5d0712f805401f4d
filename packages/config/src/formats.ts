import { createPublicKey } from 'node:crypto';
import { FormatRegistry } from '@sinclair/typebox';

FormatRegistry.Set('http-url', (value) => hasProtocol(value, ['http:', 'https:']));
FormatRegistry.Set('postgres-url', (value) => hasProtocol(value, ['postgres:', 'postgresql:']));
FormatRegistry.Set('nats-url', (value) =>
  value.split(',').every((server) => hasProtocol(server.trim(), ['nats:', 'tls:', 'ws:', 'wss:'])),
);
FormatRegistry.Set('redis-url', (value) => hasProtocol(value, ['redis:', 'rediss:']));
FormatRegistry.Set('pem', isEd25519);

function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

/** Accepts a private or a public key; Node.js derives the public key from a private one. */
function isEd25519(value: string): boolean {
  try {
    return createPublicKey(value).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
