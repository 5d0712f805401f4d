import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { ResolvedPrincipal, TokenClaims } from '@lms/contracts/internal/identity';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Plan, Role, UserStatus } from '@lms/contracts/passport';
import { maxLengths, Nullable, Text, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { UserRole } from '../user-role.ts';
import { userSorts } from './repository.ts';

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
    identityProviderId: Nullable(Type.String({ description: 'Null once anonymized' })),
    email: Type.String(),
    emailVerified: Type.Boolean(),
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    status: UserStatus,
    statusReason: Nullable(Type.String()),
    plan: Plan,
    roles: Type.Array(Role, { description: 'The roles held now' }),
    userRoles: Type.Array(UserRole, { description: 'Every assignment there ever was, newest first' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

export const resolvePrincipal = {
  operationId: 'resolvePrincipal',
  tags: ['internal'],
  summary: 'Who the bearer of a verified token is; provisions on first sight',
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

/** What the responses say was done. */
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
    synced: Type.Boolean({ description: 'True once the provider, or one of its tokens, has confirmed the account' }),
  }),
  messages.synchronised,
);

export const syncUser = {
  operationId: 'syncUser',
  tags: ['auth'],
  summary: 'Synchronise a user from the identity provider',
  description:
    'The body is a hint, never an authority: it may announce a user who is not known yet (201), as a LEARNER with an unverified e-mail. The account counts once a valid token of that `sub` arrives, with or without an e-mail, or the provider itself confirms it; the e-mail stays unverified until a token or the provider proves it. ' +
    'A hint never changes an existing user (200) and never links two ids (409). Where another user proves the e-mail, they get it: an account that has never been used is closed and its `userId` may be announced again, one in use goes on without the e-mail and keeps only the role LEARNER. ' +
    'Where the installation runs in `verify` mode the provider is asked instead, also when a token comes along, and what it says is stored. ' +
    "With a bearer token, `userId` must be the token's `sub`, the token's verified e-mail is stored where it is newer than what the provider said last, and the response is the caller's own record; without one, it repeats the e-mail that was sent.",
  security: [{}, { bearer: [] }],
  body: SyncRequest,
  response: { 200: Synced, 201: Synced, ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503) },
} as const;

export const getProfile = {
  operationId: 'getProfile',
  tags: ['auth'],
  summary: 'The current user',
  security: [{ bearer: [] }],
  response: { 200: Success(User), ...errorResponses(401, 403) },
} as const;

export const updateProfile = {
  operationId: 'updateProfile',
  tags: ['auth'],
  summary: "Update the current user's names",
  description:
    'Partial; a null or empty name removes it. E-mail, roles, status and plan are not the caller’s to change and are ignored.',
  security: [{ bearer: [] }],
  body: Type.Object(
    { firstName: Type.Optional(PersonName), lastName: Type.Optional(PersonName) },
    { minProperties: 1 },
  ),
  response: { 200: Success(User, messages.profileUpdated), ...errorResponses(400, 401, 403, 409, 415, 422) },
} as const;

const Held = Type.Unknown({ description: 'By the names of the service that holds it' });

const Export = Type.Object({
  exportedAt: Timestamp(),
  user: User,
  mentorApplications: Type.Array(Type.Unknown(), { description: 'Mentor applications of the caller' }),
  changes: Type.Array(Type.Unknown(), { description: 'What admins changed about the caller, oldest first' }),
  content: Held,
  media: Held,
  enrollment: Held,
});

export const exportProfile = {
  operationId: 'exportProfile',
  tags: ['auth'],
  summary: 'Everything that is held about the caller, in one document',
  description:
    'Gathered from all services. Complete or not at all: where a part is out of reach, 503 with `details.missing` naming it.',
  security: [{ bearer: [] }],
  response: {
    200: Success(Type.Unsafe<Record<string, unknown>>(Export)),
    ...errorResponses(401, 403, 503),
  },
} as const;

export const listUsers = {
  operationId: 'listUsers',
  tags: ['users'],
  summary: 'All users',
  description: '`search` looks through first name, last name and e-mail; `role` means a role held now.',
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
  tags: ['users'],
  summary: 'One user',
  security: [{ bearer: [] }],
  params: idParams('User'),
  response: { 200: Success(User), ...errorResponses(401, 403, 404) },
} as const;

export const updateUser = {
  operationId: 'updateUser',
  tags: ['users'],
  summary: "Update a user's names, status or plan",
  description:
    'Partial. Status moves: ACTIVE ↔ SUSPENDED, ACTIVE ↔ INACTIVE, SUSPENDED → INACTIVE; others are 409 `INVALID_STATE`, as is a change of one’s own status or of an account that is gone. The last active ADMIN stays active (409 `LAST_ADMIN`). Becoming ACTIVE clears `statusReason` unless a new one comes along.',
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
  tags: ['users'],
  summary: 'Take the user out of a user, for good',
  description:
    'Names, e-mail and the link to the provider go, here and in the other services; roles end and the status is INACTIVE. What the user did stays under the id. Tokens of the former identity are refused with `ACCOUNT_INACTIVE`. Not for oneself (409 `INVALID_STATE`) nor for the last active admin (409 `LAST_ADMIN`); repeating it changes nothing.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  response: { 200: Success(User, messages.anonymized), ...errorResponses(401, 403, 404, 409, 415) },
} as const;

export const getPrincipal = {
  operationId: 'getPrincipal',
  tags: ['internal'],
  summary: 'What a user is now',
  description:
    'For neighbours whose caller’s passport has grown old: asked with that passport about its bearer, or by an ADMIN’s or the gateway’s about anybody.',
  security: [{ gateway: [] }],
  params: idParams('User'),
  response: { 200: ResolvedPrincipal, ...errorResponses(401, 404) },
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

/** A user as the provider's webhooks and its user endpoint describe them. */
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
