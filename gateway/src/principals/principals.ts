import type { SignPassport } from '@lms/auth/sign-passport';
import { resolvePrincipalPath, type TokenClaims } from '@lms/contracts/internal/identity';
import { Principal } from '@lms/contracts/passport';
import type { ServiceClient } from '@lms/service/service-client';
import { LRUCache } from 'lru-cache';
import type { Tally } from '../tally.ts';

export interface PrincipalsOptions {
  identity: Pick<ServiceClient, 'request'>;
  signPassport: SignPassport;
  tally: Tally['principals'];
}

// Identity's events drop a principal at once; this bounds its age when none arrive.
const lifetimeMs = 20_000;
const rememberedPrincipals = 50_000;

interface Asking {
  answer: Promise<Principal>;
  /** Set when the user changed while identity was being asked: the answer may be used, not kept. */
  outdated: boolean;
}

/** Who the bearer of a token is, as identity says; kept for seconds, and asked once for any number of waiters. */
export function createPrincipals({ identity, signPassport, tally }: PrincipalsOptions) {
  const subjectOf = new Map<string, string>();
  const known = new LRUCache<string, Principal>({
    max: rememberedPrincipals,
    ttl: lifetimeMs,
    dispose: ({ userId }, subject) => {
      if (subjectOf.get(userId) === subject) subjectOf.delete(userId);
    },
  });
  const asked = new Map<string, Asking>();

  function ask(claims: TokenClaims, requestId: string): Promise<Principal> {
    const subject = claims.identityProviderId;
    const asking: Asking = { outdated: false, answer: askIdentity(claims, requestId) };
    asked.set(subject, asking);
    const keep = (principal: Principal) => {
      if (asking.outdated) return;
      known.set(subject, principal);
      subjectOf.set(principal.userId, subject);
    };
    const done = () => {
      if (asked.get(subject) === asking) asked.delete(subject);
    };
    asking.answer.then(keep, () => undefined).finally(done);
    return asking.answer;
  }

  const askIdentity = (body: TokenClaims, requestId: string) =>
    identity.request(
      Principal,
      { requestId, passport: signPassport({ principal: null, requestId }) },
      { method: 'POST', path: resolvePrincipalPath, body },
    );

  /** Whoever asks from now on must not be given an answer from before. */
  function outdate(subject: string) {
    known.delete(subject);
    const asking = asked.get(subject);
    if (asking) asking.outdated = true;
    asked.delete(subject);
  }

  function dropAll() {
    known.clear();
    for (const subject of [...asked.keys()]) outdate(subject);
  }

  return {
    /** The principal of a subject if it is known right now. */
    recall(subject: string): Principal | undefined {
      const principal = known.get(subject);
      if (principal) tally.remembered += 1;
      return principal;
    },
    /** @throws identity's own refusal, or a 503 when it is out of reach */
    resolve(claims: TokenClaims, requestId: string): Promise<Principal> | Principal {
      const subject = claims.identityProviderId;
      const principal = known.get(subject);
      const asking = asked.get(subject);
      tally[principal ? 'remembered' : asking ? 'shared' : 'asked'] += 1;
      const { issuedAt: _issuedAt, ...whose } = claims;
      return principal ?? asking?.answer ?? ask(whose, requestId);
    },
    /**
     * As `resolve`, but asks whatever is remembered, and has identity store the token's e-mail where it is news.
     * @throws also identity's conflict, where the e-mail is somebody else's
     */
    refresh(claims: TokenClaims, requestId: string): Promise<Principal> {
      tally.asked += 1;
      outdate(claims.identityProviderId);
      return ask(claims, requestId);
    },
    /** Forgets the user that an event of identity speaks of. */
    drop(data: unknown) {
      const { id, identityProviderId } = Object(data);
      const subjects = [identityProviderId, subjectOf.get(id)].filter((subject) => typeof subject === 'string');
      // An anonymized user's subject is told no more: if it is not known here, any answer on its way may be theirs.
      for (const subject of subjects.length > 0 ? subjects : [...asked.keys()]) outdate(subject);
    },
    dropAll,
  };
}
export type Principals = ReturnType<typeof createPrincipals>;
