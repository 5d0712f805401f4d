import { errorResponses, Success } from '@lms/contracts/envelope';
import { Plan } from '@lms/contracts/passport';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { type TSchema, Type } from '@sinclair/typebox';
import type { Operation, ServiceDocument } from './service-documents.ts';

const Metric = Type.Object({ used: Type.Integer(), limit: Nullable(Type.Integer({ description: 'null: unlimited' })) });
const Usage = Type.Object({
  plan: Plan,
  period: Type.Object({ start: Timestamp(), end: Timestamp() }),
  apiCalls: Metric,
  uploads: Metric,
});

const json = (schema: TSchema, description: string) => ({ description, content: { 'application/json': { schema } } });

const getUsage: Operation = {
  operationId: 'getUsage',
  tags: ['auth'],
  summary: "The caller's quotas of this month",
  description:
    'Calls and uploads of the current UTC month against the limits of the plan. Admins are exempt from quotas.',
  security: [{ bearer: [] }],
  responses: {
    200: json(Success(Usage), 'Default Response'),
    ...Object.fromEntries(
      Object.entries(errorResponses(401, 403, 429, 503)).map(([status, schema]) => [
        status,
        json(schema, 'Default Response'),
      ]),
    ),
  },
};

/** The routes that the gateway serves itself. */
export const describeGateway = (): ServiceDocument => ({ paths: { '/api/auth/usage': { get: getUsage } } });
