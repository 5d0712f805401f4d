import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** The body of a successful response: `{success: true, data, message?}`. Pass the message of an operation that sends one. */
export const Success = <T extends TSchema>(data: T, message?: string) =>
  Type.Object({
    success: Type.Literal(true),
    data,
    message: Type.Optional(
      Type.String({ description: 'A message for humans', ...(message !== undefined && { examples: [message] }) }),
    ),
  });

/** The body of every error response. `details` depends on the code. */
export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'A message for humans' }),
    code: Type.String({ description: 'The error code, for programs' }),
    details: Type.Optional(Type.Unknown()),
    requestId: Type.String({ description: 'The X-Request-Id of this response' }),
  },
  { title: 'Failure' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** The error responses of a route, for its `response` schema: `...errorResponses(401, 403, 404)`. */
export const errorResponses = <const S extends readonly number[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, ErrorEnvelope]));

export const ok = <T>(data: T, message?: string): { success: true; data: T; message?: string } => ({
  success: true,
  data,
  ...(message !== undefined && { message }),
});
