import { FormatRegistry } from '@sinclair/typebox';

FormatRegistry.Set('http-url', (value) => hasProtocol(value, ['http:', 'https:']));
FormatRegistry.Set('postgres-url', (value) => hasProtocol(value, ['postgres:', 'postgresql:']));
FormatRegistry.Set('nats-url', (value) =>
  value.split(',').every((server) => hasProtocol(server.trim(), ['nats:', 'tls:', 'ws:', 'wss:'])),
);
FormatRegistry.Set('redis-url', (value) => hasProtocol(value, ['redis:', 'rediss:']));
FormatRegistry.Set('pem', (value) => value.includes('-----BEGIN '));

function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
