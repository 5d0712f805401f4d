import { isId } from '@lms/contracts/ids';
import { type Principal, passportLifetimeSeconds } from '@lms/contracts/passport';
import { InvalidToken } from '@lms/service/problems';
import type { CallContext } from '@lms/service/service-client';
import { createSigner, createVerifier } from 'fast-jwt';

const issuer = 'lms-service';
const audience = 'lms-internal';

/**
 * The authority of a service that continues the work of a user for longer than the user's passport is valid: an import or
 * an export. A token names the acting user, is signed with a secret that the services share, and is accepted only by
 * routes with `config: { acceptsServiceTokens: true }`. The gateway removes the header from the requests of clients.
 */
export function createServiceTokens(secret: string, internalToleranceSeconds = 0) {
  const sign = createSigner({
    key: secret,
    algorithm: 'HS256',
    iss: issuer,
    aud: audience,
    expiresIn: passportLifetimeSeconds * 1_000,
  });
  const createTokenVerifier = (toleranceSeconds: number) =>
    createVerifier({
      key: secret,
      algorithms: ['HS256'],
      allowedIss: issuer,
      allowedAud: audience,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp'],
      clockTolerance: toleranceSeconds * 1_000,
    });
  const verify = createTokenVerifier(0);
  const verifyInternal = createTokenVerifier(internalToleranceSeconds);
  return {
    /** The context of one request to another service, for a user whose permission was checked before. */
    callContext: (userId: string, requestId: string): CallContext => ({
      requestId,
      serviceToken: sign({ sub: userId }),
    }),

    /** @throws InvalidToken */
    verify(token: string, isInternal: boolean): Principal {
      const userId = subjectOf(isInternal ? verifyInternal : verify, token);
      if (!isId(userId)) throw new InvalidToken();
      return actingPrincipal(userId);
    },
  };
}
export type ServiceTokens = ReturnType<typeof createServiceTokens>;

function subjectOf(verify: (token: string) => unknown, token: string): unknown {
  try {
    return Object(verify(token)).sub;
  } catch (cause) {
    throw new InvalidToken({ cause });
  }
}

/** The service was authorized by an administrator; what it has not stored about that user is empty. */
const actingPrincipal = (userId: string): Principal => ({
  userId,
  identityProviderId: '',
  email: '',
  emailVerified: false,
  firstName: null,
  lastName: null,
  roles: ['ADMIN'],
  status: 'ACTIVE',
  plan: 'ENTERPRISE',
});
