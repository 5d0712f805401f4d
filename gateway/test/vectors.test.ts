import { existsSync, readFileSync } from 'node:fs';
import { InvalidToken } from '@lms/service/problems';
import { createLocalJWKSet, decodeProtectedHeader } from 'jose';
import t from 'tap';
import { type Provider, verifyToken } from '../src/tokens/verify-token.ts';

interface Case {
  tcId: number;
  comment: string;
  jws?: unknown;
  result: string;
}
interface Group {
  comment: string;
  public?: { keys?: object[] };
  private?: { keys?: object[] };
  tests: Case[];
}

const folder = new URL('../../../shared/vectors/', import.meta.url);
const accepted = ['RS256', 'ES256', 'EdDSA'];

// Vectors that test what is not the verifier's responsibility.
const exempt: Record<string, string> = {
  rejectsKeyWithRocaVulnerability: 'the provider chooses its keys',
};

if (!existsSync(folder))
  t.test('the vectors of Project Wycheproof', { skip: `not found (${folder.pathname})` }, () => undefined);
else
  for (const file of ['json_web_signature_test.json', 'json_web_key_test.json', 'json_web_crypto_test.json'])
    t.test(`signatures are accepted and rejected as Project Wycheproof expects: ${file}`, async (t) => {
      const groups: Group[] = JSON.parse(readFileSync(new URL(file, folder), 'utf8')).testGroups;
      let checked = 0;
      for (const group of groups)
        for (const { tcId, comment, jws, result } of group.tests) {
          if (jws === undefined) continue;
          const name = `${tcId} ${group.comment}: ${comment}`;
          if (comment in exempt) {
            t.comment(`${name}: not checked, ${exempt[comment]}`);
            continue;
          }
          checked += 1;
          const token = typeof jws === 'string' ? jws : JSON.stringify(jws);
          const isGood = result === 'valid' && accepted.includes(algorithmOf(token)) && typeof jws === 'string';
          const outcome = await verify(token, group).then(
            () => true,
            // A payload that is not a JSON object is refused once its signature is verified.
            (error: unknown) => Object(Object(error).cause).code === 'ERR_JWT_INVALID' || Object(error).statusCode,
          );
          t.equal(outcome, isGood ? true : 401, name);
        }
      t.comment(`${checked} cases`);
      t.ok(checked > 15);
    });

/** Verifies a token as the gateway does; keys without an id are the group's only key. */
async function verify(token: string, group: Group) {
  const jwks = group.public ?? group.private ?? {};
  const named = (jwks.keys ?? [jwks]).map((jwk) => ({ kid: 'unnamed', ...jwk }));
  const getKey = createLocalJWKSet({ keys: named });
  const findKey: Provider['findKey'] = (header) =>
    getKey({ kid: 'unnamed', ...header }).catch((cause: unknown) => {
      throw new InvalidToken({ cause });
    });
  return verifyToken(token, { issuer: 'none', audience: undefined, findKey });
}

function algorithmOf(token: string): string {
  try {
    return String(decodeProtectedHeader(token).alg);
  } catch {
    return 'none';
  }
}
