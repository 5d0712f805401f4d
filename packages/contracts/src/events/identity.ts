import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { Principal } from '../passport.ts';
import { Nullable, Timestamp } from '../text.ts';
import { defineEvent } from './definition.ts';

/** A user as neighbours know them; `identityProviderId` is null once anonymized. */
export const UserState = Type.Object({
  ...Type.Omit(Principal, ['userId', 'identityProviderId']).properties,
  id: Id,
  identityProviderId: Nullable(Type.String()),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
});
export type UserState = Static<typeof UserState>;

export const userCreated = defineEvent('identity.user.created', UserState);
export const userUpdated = defineEvent('identity.user.updated', UserState);
export const userDeleted = defineEvent('identity.user.deleted', UserState);
export const userRoleChanged = defineEvent('identity.user.role-changed', UserState);

/** Everything that can change what a cached principal says. */
export const userEvents = 'lms.identity.user.*.v1';
