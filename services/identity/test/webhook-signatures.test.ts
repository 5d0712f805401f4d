import { createHmac, randomBytes } from 'node:crypto';
import { sign as signGithub, verify as verifyGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { parseSecrets } from '../src/webhooks/secrets.ts';
import { type SignatureOptions, verifySignature } from '../src/webhooks/verify-signature.ts';

const optionsOf = (secrets: string[], acceptUntimestamped = false): SignatureOptions => ({
  keys: parseSecrets(secrets).keys,
  acceptUntimestamped,
});
const accepts = (options: SignatureOptions, headers: Record<string, string>, body: string | Buffer, now?: number) => {
  try {
    return verifySignature(options, headers, Buffer.from(body), now).scheme;
  } catch {
    return 'refused';
  }
};

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const bodies = ['{}', '', '{"a":"ü€😀"}', '{ "spaced" : 1.0e2 }\n', JSON.stringify({ text: 'x'.repeat(5_000) })];
const standard = (prefix: string, id: string, timestamp: string, signature: string) => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: timestamp,
  [`${prefix}-signature`]: signature,
});

t.test('the published vector of Standard Webhooks verifies at its time only', async (t) => {
  const options = optionsOf(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  const body = '{"test": 2432232314}';
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  for (const [prefix, scheme] of [
    ['webhook', 'standard'],
    ['svix', 'svix'],
  ] as const) {
    const headers = standard(prefix, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', signature);
    t.equal(accepts(options, headers, body, 1_614_265_330_000), scheme);
    t.equal(accepts(options, headers, body, 1_614_265_630_999), scheme, '300 s late');
    t.equal(accepts(options, headers, body, 1_614_265_631_000), 'refused', '301 s late');
    t.equal(accepts(options, headers, body, 1_614_265_030_000), scheme, '300 s early');
    t.equal(accepts(options, headers, body, 1_614_265_029_999), 'refused', '301 s early');
    t.equal(accepts(options, headers, body), 'refused', 'today');
    t.equal(accepts(options, headers, '{"test":2432232314}', 1_614_265_330_000), 'refused', 'other bytes');
  }
});

t.test('the published vector of GitHub verifies if untimestamped signatures are accepted', async (t) => {
  const headers = {
    'x-webhook-signature': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  };
  const githubs = ["It's a Secret to Everybody"]; // cspell:disable-line
  t.equal(accepts(optionsOf(githubs, true), headers, 'Hello, World!'), 'untimestamped');
  t.equal(accepts(optionsOf(githubs), headers, 'Hello, World!'), 'refused');
  const bare = { 'x-webhook-signature': headers['x-webhook-signature'].slice('sha256='.length) };
  t.equal(accepts(optionsOf(githubs, true), bare, 'Hello, World!'), 'untimestamped');
});

t.test('the verification accepts and rejects the same signatures as standardwebhooks', async (t) => {
  const oracle = new Webhook(secret);
  const options = optionsOf([secret]);
  const now = Math.floor(Date.now() / 1_000);
  const agree = (headers: Record<string, string>, body: string, title: string) => {
    let theirs = 'standard';
    try {
      oracle.verify(body, headers, { jsonParse: false });
    } catch {
      theirs = 'refused';
    }
    t.equal(accepts(options, headers, body), theirs, title);
  };
  for (const body of bodies.filter(Boolean))
    for (const id of ['msg_1', 'msg.2', 'ü']) {
      const genuine = oracle.sign(id, new Date(now * 1_000), body);
      const variants: Record<string, string> = {
        genuine,
        'among others': `v1,AAAA v2,${genuine.slice(3)} ${genuine}`,
        'another version': genuine.replace('v1,', 'v2,'),
        'no version': genuine.slice(3),
        'cut short': genuine.slice(0, -4),
        empty: '',
        'separated by a comma': `${genuine},${genuine}`.replace('v1,', 'v1,x,'),
        changed: genuine.replace(/^v1,./, (start) => (start.endsWith('A') ? 'v1,B' : 'v1,A')),
      };
      for (const [title, signature] of Object.entries(variants))
        agree(standard('webhook', id, String(now), signature), body, title);
      agree(standard('webhook', `${id}x`, String(now), genuine), body, 'another id');
      agree(standard('webhook', id, String(now - 1), genuine), body, 'another time');
      agree(standard('webhook', id, String(now), genuine), `${body} `, 'another body');
    }
  // Seconds from the limit, because the two read the clock one after the other.
  for (const age of [-310, -290, 0, 290, 310]) {
    const at = new Date((now - age) * 1_000);
    agree(standard('webhook', 'm', String(now - age), oracle.sign('m', at, '{}')), '{}', `${age} s old`);
  }
});

t.test('malformed timestamps that standardwebhooks accepts are rejected', async (t) => {
  const oracle = new Webhook(secret);
  const now = Math.floor(Date.now() / 1_000);
  const signature = oracle.sign('m', new Date(now * 1_000), '{}');
  for (const timestamp of [`${now}x`, `${now}.5`, ` ${now}`, `+${now}`, `${now} `, `${now}e0`, `0${now}`]) {
    const headers = standard('webhook', 'm', timestamp, signature);
    t.doesNotThrow(() => oracle.verify('{}', headers), `the oracle accepts "${timestamp}"`);
    t.equal(accepts(optionsOf([secret]), headers, '{}'), 'refused', `"${timestamp}"`);
  }
});

t.test('signatures over the body alone verify as with @octokit/webhooks-methods', async (t) => {
  const plain = 'a secret of twenty-four bytes or more';
  const options = optionsOf([plain], true);
  for (const body of bodies.filter(Boolean)) {
    const genuine = await signGithub(plain, body);
    const foreign = await signGithub('another secret of 24 bytes or more', body);
    for (const signature of [
      genuine,
      foreign,
      genuine.slice(0, -1),
      `${genuine}0`,
      genuine.replace('sha256=', 'sha1='),
    ]) {
      const theirs = (await verifyGithub(plain, body, signature)) ? 'untimestamped' : 'refused';
      t.equal(accepts(options, { 'x-webhook-signature': signature }, body), theirs, signature);
    }
    t.equal(accepts(options, { 'x-webhook-signature': genuine }, `${body} `), 'refused');
  }
});

t.test('a signature over the body alone may be sha256=<hex>, bare hex or base64, if accepted', async (t) => {
  const plain = 'a secret of twenty-four bytes or more';
  const body = '{"type":"user.created"}';
  const mac = createHmac('sha256', plain).update(body).digest();
  const other = createHmac('sha256', plain).update(`${body} `).digest();
  const [hex, base64] = [mac.toString('hex'), mac.toString('base64')];
  const scheme = (signature: string, options = optionsOf([plain], true)) =>
    accepts(options, { 'x-webhook-signature': signature }, body);
  for (const signature of [`sha256=${hex}`, hex, hex.toUpperCase(), base64]) {
    t.equal(scheme(signature), 'untimestamped', signature);
    t.equal(scheme(signature, optionsOf([plain])), 'refused', `${signature}, not accepted by the setting`);
  }
  const wrong = [other.toString('hex'), other.toString('base64'), `sha256=${base64}`, `sha1=${hex}`, `v1=${hex}`];
  const malformed = [hex.slice(1), base64.slice(0, -1), `${base64}=`, `${hex}, ${hex}`, mac.toString('latin1')];
  for (const signature of [...wrong, ...malformed]) t.equal(scheme(signature), 'refused', signature);
});

t.test('any of up to four secrets is accepted during a rotation', async (t) => {
  const secrets = Array.from({ length: 4 }, () => randomBytes(24).toString('hex'));
  const now = Math.floor(Date.now() / 1_000);
  const signedWith = (key: string) => `t=${now},v1=${createHmac('sha256', key).update(`${now}.{}`).digest('hex')}`;
  for (const key of secrets)
    t.equal(accepts(optionsOf(secrets), { 'x-webhook-signature': signedWith(key) }, '{}'), 'timestamped');
  t.equal(
    accepts(optionsOf(secrets.slice(1)), { 'x-webhook-signature': signedWith(secrets[0] ?? '') }, '{}'),
    'refused',
  );
  t.equal(
    accepts(optionsOf([]), { 'x-webhook-signature': signedWith('') }, '{}'),
    'refused',
    'without secrets no signature is accepted',
  );
});

t.test('the headers determine the scheme, and no weaker one is tried', async (t) => {
  const now = Math.floor(Date.now() / 1_000);
  const key = Buffer.from(secret.slice(6), 'base64');
  const ours = { 'x-webhook-signature': `t=${now},v1=${createHmac('sha256', key).update(`${now}.{}`).digest('hex')}` };
  const bare = { 'x-webhook-signature': createHmac('sha256', key).update('{}').digest('hex') };
  const genuine = standard('svix', 'm', String(now), new Webhook(secret).sign('m', new Date(now * 1_000), '{}'));
  const options = optionsOf([secret], true);
  t.equal(accepts(options, { ...ours, ...genuine }, '{}'), 'svix');
  t.equal(accepts(options, { ...ours, ...bare }, '{}'), 'untimestamped');
  const incomplete = { 'svix-id': 'm', 'webhook-id': 'm', 'svix-timestamp': String(now), 'svix-signature': 'v1,x' };
  for (const [name, value] of Object.entries(incomplete))
    t.equal(accepts(options, { ...ours, [name]: value }, '{}'), 'refused', name);
  t.equal(accepts(options, { 'x-webhook-signature': `t=${now}` }, '{}'), 'refused', 'a timestamp without a signature');
  t.equal(accepts(options, { 'x-webhook-signature': `${ours['x-webhook-signature']},t=${now}` }, '{}'), 'refused');
});

t.test('the message id comes from the headers of either standard, or else from the body', async (t) => {
  const now = Math.floor(Date.now() / 1_000);
  const signature = new Webhook(secret).sign('m', new Date(now * 1_000), '{}');
  for (const family of ['svix', 'webhook']) {
    const headers = standard(family, 'm', String(now), signature);
    t.equal(verifySignature(optionsOf([secret]), headers, Buffer.from('{}')).messageId, 'id:m', family);
  }
  const at = (seconds: number, body: string) => {
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${seconds}.${body}`)
      .digest('hex');
    const headers = { 'x-webhook-signature': `t=${seconds},v1=${mac}` };
    return verifySignature(optionsOf([secret]), headers, Buffer.from(body)).messageId;
  };
  t.equal(at(now, '{}'), at(now - 60, '{}'), 'a retry has a new signature and the same message id');
  t.not(at(now, '{}'), at(now, '{"a":1}'));
});

t.test('secrets that are too short, too long, too many or malformed base64 are named', async (t) => {
  const valid = 'x'.repeat(24);
  t.same(parseSecrets([valid, 'x'.repeat(64), `whsec_${Buffer.alloc(24).toString('base64')}`]).problems, []);
  t.match(parseSecrets(['x'.repeat(23)]).problems, [/secret 1 must have 24 to 64 bytes/]);
  t.match(parseSecrets([valid, 'x'.repeat(65), 'whsec_!!', `whsec_${Buffer.alloc(23).toString('base64')}`]).problems, [
    /secret 2/,
    /secret 3/,
    /secret 4/,
  ]);
  t.match(parseSecrets([valid, valid, valid, valid, valid]).problems, [/at most 4/]);
});

t.test('in development a short secret is accepted with a warning; other problems are not', async (t) => {
  const isDevelopment = true;
  const { keys, problems: flaws, warnings } = parseSecrets(['short', 'x'.repeat(24)], { isDevelopment });
  t.same(keys.map(String), ['short', 'x'.repeat(24)]);
  t.same(flaws, []);
  t.match(warnings, [/^secret 1 must have 24 to 64 bytes.*only work in development$/]);
  t.match(parseSecrets(['whsec_', 'whsec_!!', 'x'.repeat(65)], { isDevelopment }), {
    problems: [/secret 1/, /secret 2/, /secret 3/],
    warnings: [],
  });
});
