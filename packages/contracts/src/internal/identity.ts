import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Id } from '../ids.ts';
import { Principal } from '../passport.ts';
import { Nullable } from '../text.ts';

/** `POST`, for the gateway only: returns the principal for the claims of a verified token, and provisions new users. */
export const resolvePrincipalPath = '/internal/principals';

export const TokenClaims = Type.Object({
  identityProviderId: Type.String({ minLength: 1, maxLength: 255 }),
  email: Nullable(Type.String()),
  emailVerified: Type.Boolean(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  issuedAt: Type.Optional(
    Type.Number({ description: 'Unix seconds; sent if the e-mail also applies to an existing account' }),
  ),
});
export type TokenClaims = Static<typeof TokenClaims>;

export const ResolvedPrincipal = Success(Principal);

/** `GET` returns a user's current principal, for a service whose caller's passport expired during a long upload. */
export const principalPath = (userId: string) => `/internal/principals/${userId}`;

/**
 * `POST` by an ADMIN finds users by id or by verified e-mail, in the order of the request; null for users that are
 * unknown or deleted.
 */
export const userLookupPath = '/internal/users/lookup';
export const maxLookup = 500;
export const UserLookup = Type.Object({
  ids: Type.Array(Type.String(), { maxItems: maxLookup }),
  emails: Type.Array(Type.String(), { maxItems: maxLookup }),
});
export const FoundUser = Type.Object({
  id: Id,
  email: Type.String(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
});
export type FoundUser = Static<typeof FoundUser>;
export const FoundUsers = Type.Object({
  byId: Type.Array(Nullable(FoundUser)),
  byEmail: Type.Array(Nullable(FoundUser)),
});
export const FoundUsersResponse = Success(FoundUsers);
