import type { Principal, Role } from '@lms/contracts/passport';
import { defineProblem, forbidden, Unauthorized } from '@lms/service/problems';
import type { FastifyInstance } from 'fastify';
import { caller } from './passports.ts';

const AccountSuspended = defineProblem('ACCOUNT_SUSPENDED', 403, 'This account is suspended');
export const AccountInactive = defineProblem('ACCOUNT_INACTIVE', 403, 'This account is inactive');

/** Refuses callers whose account is not in use; anonymous ones pass. */
export function requireActive(principal: Principal | null) {
  if (principal?.status === 'SUSPENDED') throw new AccountSuspended();
  if (principal?.status === 'INACTIVE') throw new AccountInactive();
}

/** Within this scope anybody may call, but not with a suspended or inactive account. */
export function allowAnyone(scope: FastifyInstance) {
  scope.addHook('onRequest', async (request) => requireActive(request.principal));
}

/** Within this scope the caller must be known; with roles given, hold one of them. */
export function requireRole(scope: FastifyInstance, ...required: Role[]) {
  scope.addHook('onRequest', async (request) => {
    const { roles } = caller(request);
    requireActive(request.principal);
    if (required.length === 0 || required.some((role) => roles.includes(role))) return;
    throw forbidden({ required, user_roles: roles });
  });
}

/** Within this scope only the gateway may call. */
export function requireGateway(scope: FastifyInstance) {
  scope.addHook('onRequest', async (request) => {
    if (!request.isGateway) throw new Unauthorized();
  });
}
