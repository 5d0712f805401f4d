import type { Principal, Role } from '@lms/contracts/passport';
import { defineProblem, forbidden, Unauthorized } from '@lms/service/problems';
import type { FastifyInstance } from 'fastify';
import { caller } from './passports.ts';

const AccountSuspended = defineProblem('ACCOUNT_SUSPENDED', 403, 'This account is suspended');
export const AccountInactive = defineProblem('ACCOUNT_INACTIVE', 403, 'This account is inactive');

/** Refuses suspended and inactive accounts. Anonymous callers pass. */
export function requireActive(principal: Principal | null) {
  if (principal?.status === 'SUSPENDED') throw new AccountSuspended();
  if (principal?.status === 'INACTIVE') throw new AccountInactive();
}

/** Routes in this scope allow everyone, including anonymous callers, but no suspended or inactive accounts. */
export function allowAnyone(scope: FastifyInstance) {
  scope.addHook('onRequest', async (request) => requireActive(request.principal));
}

/**
 * Routes in this scope require an authenticated caller, with one of the roles if any are given: the schemas of the routes name
 * them as `x-roles`, for the API docs.
 */
export function requireRole(scope: FastifyInstance, ...required: Role[]) {
  scope.addHook('onRoute', (route) => {
    if (required.length > 0) route.schema = Object.assign({}, route.schema, { 'x-roles': required });
  });
  scope.addHook('onRequest', async (request) => {
    const { roles } = caller(request);
    requireActive(request.principal);
    if (required.length === 0 || required.some((role) => roles.includes(role))) return;
    throw forbidden({ required, user_roles: roles });
  });
}

/** Routes in this scope are reserved for the gateway itself. */
export function requireGateway(scope: FastifyInstance) {
  scope.addHook('onRequest', async (request) => {
    if (!request.isGateway) throw new Unauthorized();
  });
}
