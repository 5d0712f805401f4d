import { loadConfig } from '@lms/config/load-config';
import t from 'tap';
import { Config, checkConfig } from '../src/config.ts';

t.test('all invalid settings are reported at once', async (t) => {
  const problemsOf = (environment: Record<string, string>): string[] => {
    try {
      loadConfig(Config, environment, checkConfig);
      return [];
    } catch (error) {
      return Object(error).problems;
    }
  };
  const wrong = {
    IDENTITY_URL: 'ftp://x',
    TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/33',
    CORS_ORIGINS: 'https://app.example/path',
    RATE_LIMIT_GENERAL: '0',
    RATE_LIMIT_AUTH: 'many',
    QUOTAS_ENABLED: 'yes',
    IDP_JWKS_URL: 'http://provider.example/jwks',
    PASSPORT_PRIVATE_KEY: 'secret',
  };
  const problems = problemsOf(wrong).join('\n');
  for (const name of [...Object.keys(wrong), 'CONTENT_URL', 'REDIS_URL', 'IDP_ISSUER'])
    t.match(problems, new RegExp(`^${name}: `, 'm'));
  t.notMatch(problems, /secret/, 'values of secrets are not reported');
  for (const range of ['0.0.0.0/0', '::/0', '10.0.0.0/08'])
    t.match(problemsOf({ TRUSTED_PROXIES: range }).join('\n'), /^TRUSTED_PROXIES: /m, range);
  for (const origin of ['https://*.example', 'https://a.example?b', 'https://a@b.example', 'https://a:b', 'null'])
    t.match(problemsOf({ CORS_ORIGINS: origin }).join('\n'), /^CORS_ORIGINS: /m, origin);
  t.match(problemsOf({ IDP_ISSUER: 'https://provider.example ' }).join('\n'), /^IDP_ISSUER: /m);
  for (const url of [
    'HTTPS://provider.example/jwks?policy=1',
    'https://provider.example/jwks',
    'http://127.0.0.1:8090/jwks',
    'http://localhost/jwks',
    'http://[::1]:1/',
  ])
    t.notMatch(problemsOf({ IDP_JWKS_URL: url }).join('\n'), /JWKS/, url);

  const inside = (trusted: string, url = 'http://identity-provider:8090/jwks') =>
    problemsOf({ IDP_JWKS_URL: url, IDP_JWKS_IN_PRIVATE_NETWORK: trusted }).join('\n');
  t.notMatch(inside('true'), /JWKS/, 'http to any host if the network is private');
  t.match(inside('false'), /^IDP_JWKS_URL: must be an https URL/m);
  t.match(inside('perhaps'), /^IDP_JWKS_IN_PRIVATE_NETWORK: must be true or false$/m);
  t.match(inside('true', 'ftp://identity-provider/jwks'), /^IDP_JWKS_URL: must be an http\(s\) URL$/m);
});
