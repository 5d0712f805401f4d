import { failures, Success } from '@lms/contracts/envelope';
import { IdParams } from '@lms/contracts/ids';
import { Role } from '@lms/contracts/passport';
import { Type } from '@sinclair/typebox';
import { UserRole } from '../user-role.ts';

export const AssignRole = {
  operationId: 'assignRole',
  tags: ['users'],
  summary: 'Assign a role to a user',
  description:
    'An active assignment of the same role is ended and replaced in one transaction. 409 `INVALID_STATE` where the account is gone for good.',
  security: [{ bearer: [] }],
  params: IdParams,
  body: Type.Object({ role: Role }),
  response: { 201: Success(UserRole), ...failures(400, 401, 403, 404, 409, 415, 422) },
} as const;
