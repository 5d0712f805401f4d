import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { FoundUsersResponse, ResolvedPrincipal, TokenClaims, UserLookup } from '@lms/contracts/internal/identity';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Plan, Role, UserStatus } from '@lms/contracts/passport';
import { maxLengths, Nullable, Text, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { userSorts } from './repository.ts';
import { UserRole } from './role-schemas.ts';

const PersonName = Nullable(Text(maxLengths.name));
const IdentityProviderId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
  examples: ['user_2b1c'],
  description: "The identity provider's user id",
});
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['learner@lms.test'] });

export const User = Type.Object(
  {
    id: Id,
    identityProviderId: Nullable(Type.String({ description: 'Null once the user is anonymized' })),
    email: Type.String(),
    emailVerified: Type.Boolean(),
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    status: UserStatus,
    statusReason: Nullable(Type.String()),
    plan: Plan,
    roles: Type.Array(Role, { description: 'The active roles' }),
    userRoles: Type.Array(UserRole, { description: 'All role assignments, active and ended, newest first' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

export const resolvePrincipal = {
  operationId: 'resolvePrincipal',
  tags: ['internal'],
  summary: 'Resolve the user of a verified token; creates the user on the first request',
  security: [{ gateway: [] }],
  body: TokenClaims,
  response: { 200: ResolvedPrincipal, ...errorResponses(401, 403, 409, 422) },
} as const;

export const SyncRequest = Type.Object({
  userId: IdentityProviderId,
  email: Email,
  firstName: Type.Optional(PersonName),
  lastName: Type.Optional(PersonName),
});
export type SyncRequest = Static<typeof SyncRequest>;

/** The `message` of each response. */
export const messages = {
  announced: 'User announced',
  synchronised: 'User synchronised',
  profileUpdated: 'Profile updated',
  updated: 'User updated',
  anonymized: 'User anonymized',
};

const Synced = Success(
  Type.Object({
    ...Type.Partial(User).properties,
    id: Id,
    identityProviderId: Type.String(),
    synced: Type.Boolean({ description: 'True once the provider or one of its tokens has confirmed the account' }),
  }),
  messages.synchronised,
);

export const syncUser = {
  operationId: 'syncUser',
  tags: ['Account'],
  summary: 'Synchronise a user from the identity provider',
  description:
    'The body is only a hint. It can create a provisional LEARNER with an unverified e-mail if the user is unknown (201). The account is confirmed by the first valid token with that `sub`, with or without an e-mail, or by the provider itself; by the token of this request as well. The e-mail stays unverified until a token or the provider verifies it. ' +
    'A hint never changes an existing user (200) and never links two ids (409). If another user verifies the e-mail, that user gets it: an account that has never been used is closed, and its `userId` can be sent again; an account in use continues without the e-mail and keeps only the role LEARNER. ' +
    "In `verify` mode the service requests the account from the provider and stores the provider's state instead, with or without a token. " +
    "With a bearer token, `userId` must be the token's `sub`. The token's verified e-mail is stored if it is newer than the provider's last state, and the response is the caller's own user. The status is 201 if this request created the account, also by the token's verified e-mail. Without a token, the response repeats the e-mail of the request.",
  security: [{}, { bearer: [] }],
  body: SyncRequest,
  response: { 200: Synced, 201: Synced, ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503) },
} as const;

export const getProfile = {
  operationId: 'getProfile',
  tags: ['Account'],
  summary: 'Get the current user',
  description:
    'Returns the user of the token with roles, status and plan. The first request with a token of a new user creates the account.',
  security: [{ bearer: [] }],
  response: { 200: Success(User), ...errorResponses(401, 403) },
} as const;

export const updateProfile = {
  operationId: 'updateProfile',
  tags: ['Account'],
  summary: "Update the current user's names",
  description:
    'Omitted fields stay unchanged; a null or empty name removes it. E-mail, roles, status and plan cannot be changed here and are ignored.',
  security: [{ bearer: [] }],
  body: Type.Object(
    { firstName: Type.Optional(PersonName), lastName: Type.Optional(PersonName) },
    { minProperties: 1 },
  ),
  response: { 200: Success(User, messages.profileUpdated), ...errorResponses(400, 401, 403, 409, 415, 422) },
} as const;

export const listUsers = {
  operationId: 'listUsers',
  tags: ['Users'],
  summary: 'List users',
  description: '`search` matches the first name, last name and e-mail. `role` matches active roles.',
  security: [{ bearer: [] }],
  querystring: PageQuery(
    userSorts,
    { sort: 'createdAt', order: 'desc' },
    {
      search: Search,
      role: Type.Optional(Role),
      status: Type.Optional(UserStatus),
      plan: Type.Optional(Plan),
      ...dateFilters,
    },
  ),
  response: { 200: Page(User), ...errorResponses(401, 403, 422) },
} as const;

export const getUser = {
  operationId: 'getUser',
  tags: ['Users'],
  summary: 'Get a user',
  description: 'Returns a user with all role assignments, also if the user is suspended or deleted.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  response: { 200: Success(User), ...errorResponses(401, 403, 404) },
} as const;

export const updateUser = {
  operationId: 'updateUser',
  tags: ['Users'],
  summary: "Update a user's names, status or plan",
  description:
    'Omitted fields stay unchanged. Allowed status changes: ACTIVE ↔ SUSPENDED, ACTIVE ↔ INACTIVE, SUSPENDED → INACTIVE. Any other change returns 409 `INVALID_STATE`, as does changing your own status or a deleted account. Suspending or deactivating the last active ADMIN returns 409 `LAST_ADMIN`. A change to ACTIVE clears `statusReason` unless the body has a new one.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  body: Type.Object(
    {
      firstName: Type.Optional(PersonName),
      lastName: Type.Optional(PersonName),
      status: Type.Optional(UserStatus),
      statusReason: Type.Optional(Nullable(Text(maxLengths.reason))),
      plan: Type.Optional(Plan),
    },
    { minProperties: 1 },
  ),
  response: { 200: Success(User, messages.updated), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

export const anonymizeUser = {
  operationId: 'anonymizeUser',
  tags: ['Users'],
  summary: 'Permanently remove the personal data of a user',
  description:
    'Removes the names, the e-mail and the link to the provider, in this service and the others. All roles end, and the status becomes INACTIVE. The history of the user stays under the id. Tokens of the former identity are rejected with `ACCOUNT_INACTIVE`. Returns 409 `INVALID_STATE` for your own account and 409 `LAST_ADMIN` for the last active admin. The operation is idempotent.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  response: { 200: Success(User, messages.anonymized), ...errorResponses(401, 403, 404, 409, 415) },
} as const;

export const getPrincipal = {
  operationId: 'getPrincipal',
  tags: ['internal'],
  summary: 'Get the current principal of a user',
  description:
    'For services that need a newer state than the passport of a long request; 404 for users who have been deleted. A passport can request its own principal; an ADMIN and the gateway can request any.',
  security: [{ gateway: [] }],
  params: idParams('User'),
  response: { 200: ResolvedPrincipal, ...errorResponses(401, 404) },
} as const;

export const lookUpUsers = {
  operationId: 'lookUpUsers',
  tags: ['internal'],
  summary: 'Find many users by id or by verified e-mail',
  description: 'For the import of rosters in enrollment.',
  security: [{ bearer: [] }],
  body: UserLookup,
  response: { 200: FoundUsersResponse, ...errorResponses(400, 401, 403, 415, 422) },
} as const;

const ProviderEmail = Type.Object(
  {
    id: Type.Optional(Type.String()),
    email_address: Type.Optional(Email),
    email: Type.Optional(Email),
    verification: Type.Optional(Nullable(Type.Object({ status: Type.Optional(Nullable(Type.String())) }))),
  },
  { anyOf: [{ required: ['email_address'] }, { required: ['email'] }] },
);
export type ProviderEmail = Static<typeof ProviderEmail>;
const ProviderInstant = Type.Union([Type.Integer({ minimum: 0, maximum: 8.64e15 }), Timestamp(), Type.Null()], {
  description: 'Epoch milliseconds or ISO 8601',
});

/** A user, as the provider's webhooks and its user endpoint describe it. */
export const ProviderUser = Type.Object({
  id: IdentityProviderId,
  email_addresses: Type.Array(Type.Union([ProviderEmail, Email]), { maxItems: 100 }),
  primary_email_address_id: Type.Optional(Nullable(Type.String())),
  first_name: Type.Optional(PersonName),
  last_name: Type.Optional(PersonName),
  created_at: Type.Optional(ProviderInstant),
  updated_at: Type.Optional(ProviderInstant),
});
export type ProviderUser = Static<typeof ProviderUser>;
export const DeletedProviderUser = Type.Object({ id: IdentityProviderId });
