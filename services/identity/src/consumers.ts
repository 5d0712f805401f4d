import { auditConsumers } from './audit/on-service-event.ts';
import { users } from './users/repository.ts';

export const consumers = auditConsumers((tx, identityProviderId) => users(tx).isIdentityAnonymized(identityProviderId));
