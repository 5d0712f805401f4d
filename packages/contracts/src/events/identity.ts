import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { Principal } from '../passport.ts';
import { Nullable, OneOf, Timestamp } from '../text.ts';
import { defineEvent } from './definition.ts';

/** A user as published to other services. `identityProviderId` is null after anonymization. */
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
/** The user was deleted at the provider, or anonymized: then `identityProviderId` is null, and consumers must delete personal data. */
export const DeletedUserState = Type.Object({
  ...UserState.properties,
  identifierHashes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "SHA-256 hashes (hex) of the identifiers of an anonymized user: first the provider's id, then every e-mail in lower case that no other user has now. A service that stores one of them removes it.",
    }),
  ),
});
export type DeletedUserState = Static<typeof DeletedUserState>;
/** The e-mail of an anonymized user. A closed account whose hint was wrong has another: its provider id can register again. */
export const anonymizedEmail = (userId: string) => `anonymized-${userId}@invalid`;
export const userDeleted = defineEvent('identity.user.deleted', DeletedUserState);
export const userRoleChanged = defineEvent('identity.user.role-changed', UserState);

/** The stream of the ids of all anonymized users. It is kept when databases are restored, so that no one comes back. */
export const erasureLedger = { stream: 'LMS_ERASURES', subject: 'erasures.user' };

/** The subject of all events that can invalidate cached principals. */
export const userEvents = 'lms.identity.user.*.v1';

export const applicationStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const;
export const ApplicationStatus = OneOf(applicationStatuses);
export type ApplicationStatus = (typeof applicationStatuses)[number];

/** An application without the applicant's texts, which only the identity service has. */
export const MentorApplicationState = Type.Object({
  id: Id,
  userId: Id,
  status: ApplicationStatus,
  subjectIds: Type.Array(Id),
  reviewedBy: Nullable(Type.String()),
  reviewedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
});
export type MentorApplicationState = Static<typeof MentorApplicationState>;

export const mentorApplicationEvents = {
  submitted: defineEvent('identity.mentor-application.submitted', MentorApplicationState),
  approved: defineEvent('identity.mentor-application.approved', MentorApplicationState),
  rejected: defineEvent('identity.mentor-application.rejected', MentorApplicationState),
  withdrawn: defineEvent('identity.mentor-application.withdrawn', MentorApplicationState),
};
