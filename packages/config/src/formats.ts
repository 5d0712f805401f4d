import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { FormatRegistry } from '@sinclair/typebox';

FormatRegistry.Set('http-url', isHttpUrl);
FormatRegistry.Set('base-url', (value) => isHttpUrl(value) && !value.includes('?'));
FormatRegistry.Set('http-origin', (value) => isHttpUrl(value) && /^\w+:\/\/[^/?]+\/?$/.test(value));
FormatRegistry.Set('postgres-url', (value) => hasProtocol(value, ['postgres:', 'postgresql:']));
FormatRegistry.Set('nats-url', (value) => value.split(',').every((url) => hasProtocol(url.trim(), ['nats:', 'tls:'])));
FormatRegistry.Set('redis-url', (value) => hasProtocol(value, ['redis:', 'rediss:']));
FormatRegistry.Set('pem', (value) => isEd25519(value, createPublicKey));
FormatRegistry.Set('private-pem', (value) => isEd25519(value, createPrivateKey));

/** Settings are used as they are written: what URL parsers drop or change is refused. */
function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^/\s#\\][^\s#\\]*$/i.test(value) && hasProtocol(value, ['http:', 'https:']);
}

function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol) && canDecode(value);
}

/** Clients of databases decode user names and passwords, and throw if a `%` in them is not encoded. */
function canDecode(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

/** Where a public key is expected, a private one is accepted as well: Node.js derives the public key from it. */
function isEd25519(value: string, parse: (pem: string) => KeyObject): boolean {
  try {
    return parse(value).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
