import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Principal } from '../passport.ts';
import { Nullable } from '../text.ts';

/** `POST` by the gateway alone, with the claims of a verified token: who is this? Provisions on first sight. */
export const resolvePrincipalPath = '/internal/principals';

export const TokenClaims = Type.Object({
  identityProviderId: Type.String({ minLength: 1, maxLength: 255 }),
  email: Nullable(Type.String()),
  emailVerified: Type.Boolean(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  issuedAt: Type.Optional(
    Type.Number({ description: 'Unix seconds; given where the e-mail is to count for a known account as well' }),
  ),
});
export type TokenClaims = Static<typeof TokenClaims>;

export const ResolvedPrincipal = Success(Principal);

/** `GET`: what a user is now; for a neighbour whose caller's passport has grown old during a long upload. */
export const principalPath = (userId: string) => `/internal/principals/${userId}`;
