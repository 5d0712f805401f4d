import { type Static, type TSchema, Type } from '@sinclair/typebox';

export const streamName = 'LMS_EVENTS';
export const streamSubjects = ['lms.>'];

/** The changed fields, for the audit log. */
export const Changes = Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }));
export type Changes = Static<typeof Changes>;

export interface EventDefinition<T extends TSchema = TSchema> {
  /** `<service>.<aggregate>.<event>`, as in `identity.user.created`. */
  type: string;
  /** The NATS subject, `lms.<type>.v1`. */
  subject: string;
  /** The aggregate's full public state after the change. */
  data: T;
}

export function defineEvent<T extends TSchema>(type: string, data: T): EventDefinition<T> {
  return { type, subject: `lms.${type}.v1`, data };
}
