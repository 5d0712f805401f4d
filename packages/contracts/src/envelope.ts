import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** The body of a success: `{success: true, data, message?}`. Name the message of an operation that sends one. */
export const Success = <T extends TSchema>(data: T, message?: string) =>
  Type.Object({
    success: Type.Literal(true),
    data,
    message: Type.Optional(
      Type.String({ description: 'What was done, for people', ...(message !== undefined && { examples: [message] }) }),
    ),
  });

/** The body of every error. `details` depends on the code. */
export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'What went wrong, for people' }),
    code: Type.String({ description: 'What went wrong, for programs' }),
    details: Type.Optional(Type.Unknown()),
    requestId: Type.String({ description: 'The X-Request-Id of this answer' }),
  },
  { title: 'Failure' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** The error answers of a route, for its `response` schema: `...failures(401, 403, 404)`. */
export const errorResponses = <const S extends readonly number[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, ErrorEnvelope]));

export const ok = <T>(data: T, message?: string): { success: true; data: T; message?: string } => ({
  success: true,
  data,
  ...(message !== undefined && { message }),
});
