import { recordChange } from './audit/record-change.ts';
import { redactUser } from './audit/redact-user.ts';
import { applications } from './mentor-applications/repository.ts';
import { withdrawPending } from './mentor-applications/withdraw-application.ts';
import type { AnonymizationDeps } from './users/anonymize-user.ts';

/** What the anonymization of a user calls of other features. */
export const anonymizationDeps: AnonymizationDeps = {
  recordChange,
  withdrawApplications: withdrawPending,
  async redactUser(tx, user) {
    await applications(tx).clearTexts(user.id);
    await redactUser(tx, user);
  },
};
