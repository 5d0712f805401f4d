import { type Static, Type } from '@sinclair/typebox';
import { Id } from './ids.ts';
import { OneOf } from './text.ts';

export const roles = ['LEARNER', 'MENTOR', 'ADMIN'] as const;
export const Role = OneOf(roles);
export type Role = (typeof roles)[number];

export const userStatuses = ['ACTIVE', 'INACTIVE', 'SUSPENDED'] as const;
export const UserStatus = OneOf(userStatuses);
export type UserStatus = (typeof userStatuses)[number];

export const plans = ['FREE', 'PRO', 'ENTERPRISE'] as const;
export const Plan = OneOf(plans);
export type Plan = (typeof plans)[number];

/** An authenticated user. Roles, status and plan come from the identity service, never from the provider's token. */
export const Principal = Type.Object({
  userId: Id,
  identityProviderId: Type.String(),
  email: Type.String(),
  emailVerified: Type.Boolean(),
  firstName: Type.Union([Type.String(), Type.Null()]),
  lastName: Type.Union([Type.String(), Type.Null()]),
  roles: Type.Array(Role),
  status: UserStatus,
  plan: Plan,
  isNew: Type.Optional(Type.Literal(true, { description: 'Set by the lookup that created the account' })),
});
export type Principal = Static<typeof Principal>;

/** The header of the passport: from the gateway to a service, and from a service to internal routes of others. */
export const passportHeader = 'x-lms-identity';
/** The header of a service's own authority, from one service to internal routes of another. */
export const serviceTokenHeader = 'x-lms-service';
export const passportIssuer = 'lms-gateway';
export const passportAudience = 'lms';
export const passportLifetimeSeconds = 60;
