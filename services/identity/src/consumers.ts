import { auditConsumers } from './audit/on-service-event.ts';
import { users } from './users/repository.ts';

export const consumers = auditConsumers(async (tx, identityProviderId) => {
  // An anonymization that is not committed does not see the entry that this transaction adds.
  await users(tx).lockIdentity(identityProviderId);
  return users(tx).isIdentityAnonymized(identityProviderId);
});
