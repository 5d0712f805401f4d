import { generateKeyPairSync } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import t from 'tap';
import { ConfigError, loadConfig } from '../src/load-config.ts';
import {
  BaseUrl,
  Choice,
  Count,
  Flag,
  HttpOrigin,
  HttpUrl,
  NatsUrl,
  Pem,
  Port,
  PostgresUrl,
  PrivatePem,
  processSettings,
  RedisUrl,
  StringList,
} from '../src/settings.ts';

const Config = Type.Object({
  ...processSettings,
  DATABASE_URL: PostgresUrl(),
  CONTENT_URL: Type.Optional(HttpUrl()),
  LIMIT: Count({ default: 100 }),
  QUOTAS_ENABLED: Flag(true),
  EMAILS: StringList(),
  SECRETS: StringList({ separator: ' ' }),
  MODE: Choice(['a', 'b'], 'a'),
  EXTRA_PORT: Port({ default: 1 }),
});
const DATABASE_URL = 'postgres://user:secret@localhost/db';

t.test('values are parsed, lists are split and defaults are filled in', async (t) => {
  const config = loadConfig(Config, {
    DATABASE_URL,
    LIMIT: '7',
    QUOTAS_ENABLED: 'false',
    EMAILS: 'a@x.test, b@x.test,',
    SECRETS: 'one  two',
    MODE: 'b',
  });
  t.match(config, {
    LIMIT: 7,
    QUOTAS_ENABLED: false,
    EMAILS: ['a@x.test', 'b@x.test'],
    SECRETS: ['one', 'two'],
    MODE: 'b',
    PORT: 0,
    LOG_LEVEL: 'info',
  });
  t.ok(Object.isFrozen(config));
});

t.test('one error lists all problems', async (t) => {
  const attempt = () =>
    loadConfig(Config, {
      LIMIT: '0',
      QUOTAS_ENABLED: 'yes',
      PORT: '99999',
      CONTENT_URL: 'ftp://x',
      MODE: 'c',
      EXTRA_PORT: '8o',
    });
  t.throws(attempt, ConfigError);
  try {
    attempt();
  } catch (error) {
    t.ok(error instanceof ConfigError);
    if (error instanceof ConfigError)
      t.same(error.problems.sort(), [
        'CONTENT_URL: must be an http(s) URL',
        'DATABASE_URL: is required',
        'EXTRA_PORT: must be a port number',
        'LIMIT: must be a whole number, 1 or more',
        'MODE: must be one of a, b',
        'PORT: must be a port number',
        'QUOTAS_ENABLED: must be true or false',
      ]);
  }
});

t.test('a secret can be read from a file', async (t) => {
  const directory = t.testdir({ secret: `${DATABASE_URL}\n` });
  t.equal(loadConfig(Config, { DATABASE_URL_FILE: `${directory}/secret` }).DATABASE_URL, DATABASE_URL);
  t.throws(() => loadConfig(Config, { DATABASE_URL_FILE: `${directory}/missing` }), /DATABASE_URL_FILE: ENOENT/);
});

t.test('an http(s) URL is accepted only if it can be used as it is written', async (t) => {
  const Urls = Type.Object({ KEYS_URL: HttpUrl(), PUBLIC_URL: BaseUrl(), CONTENT_URL: HttpOrigin() });
  const refused = (url: string): string[] => {
    try {
      loadConfig(Urls, { KEYS_URL: url, PUBLIC_URL: url, CONTENT_URL: url });
      return [];
    } catch (error) {
      return Object(error).problems.map((problem: string) => problem.split(':', 1)[0]);
    }
  };
  for (const url of ['http://content:8080', 'https://x.example/', 'HTTPS://x.example', 'http://[::1]:1'])
    t.same(refused(url), [], url);
  t.same(refused('https://x.example/lms'), ['CONTENT_URL']);
  t.same(refused('https://x.example/keys?p=1'), ['PUBLIC_URL', 'CONTENT_URL']);
  for (const url of [
    ' http://x',
    'http://x ',
    'http://x\n',
    'http://x#',
    'http:x',
    'http:/x',
    'http:///x',
    'http:\\\\x',
  ])
    t.same(refused(url), ['KEYS_URL', 'PUBLIC_URL', 'CONTENT_URL'], url);
});

t.test('seconds are limited to what a timer can wait', async (t) => {
  const Timers = Type.Object({ SHUTDOWN_TIMEOUT: processSettings.SHUTDOWN_TIMEOUT });
  t.equal(loadConfig(Timers, { SHUTDOWN_TIMEOUT: '2147483' }).SHUTDOWN_TIMEOUT, 2_147_483);
  t.throws(() => loadConfig(Timers, { SHUTDOWN_TIMEOUT: '2147484' }), /SHUTDOWN_TIMEOUT: must be .* from 1 to 2147483/);
});

t.test('the password in a URL must be percent-encoded', async (t) => {
  const Urls = Type.Object({ DATABASE_URL: PostgresUrl(), NATS_URL: NatsUrl(), REDIS_URL: RedisUrl() });
  const urlsWith = (password: string) => ({
    DATABASE_URL: `postgres://lms:${password}@db/lms`,
    NATS_URL: `nats://nats-1,tls://lms:${password}@nats-2`,
    REDIS_URL: `redis://:${password}@redis`,
  });
  t.same(loadConfig(Urls, urlsWith('100%25')), urlsWith('100%25'));
  for (const name of Object.keys(Urls.properties))
    t.throws(() => loadConfig(Urls, urlsWith('100%')), new RegExp(`${name}: must be .*percent-encoded`));
});

t.test('NATS is reached over TCP or TLS only', async (t) => {
  const Nats = Type.Object({ NATS_URL: NatsUrl() });
  for (const NATS_URL of ['ws://nats', 'wss://nats', 'nats://nats,wss://nats'])
    t.throws(() => loadConfig(Nats, { NATS_URL }), /NATS_URL: must be nats:\/\/ or tls:\/\/ URLs/);
});

t.test('only Ed25519 keys in PEM are accepted', async (t) => {
  const Key = Type.Object({ KEY: Pem() });
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const KEY of [spki, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()])
    t.equal(loadConfig(Key, { KEY }).KEY, KEY);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
  for (const KEY of ['secret', spki.slice(0, 60), rsa.export({ type: 'spki', format: 'pem' }).toString()])
    t.throws(() => loadConfig(Key, { KEY }), /KEY: must be an Ed25519 key in PEM/);

  const PrivateKey = Type.Object({ KEY: PrivatePem() });
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  t.equal(loadConfig(PrivateKey, { KEY: pkcs8 }).KEY, pkcs8);
  t.throws(() => loadConfig(PrivateKey, { KEY: spki }), /KEY: must be an Ed25519 private key in PEM/);
});

t.test('an empty value counts as unset, and unknown variables are ignored', async (t) => {
  t.equal(loadConfig(Config, { DATABASE_URL, LIMIT: '', LIMITS: 'x' }).LIMIT, 100);
});
