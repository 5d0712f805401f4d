import { type Static, Type } from '@sinclair/typebox';

/** `GET` with the caller's own passport, of content, media and enrollment: everything they hold about the caller. */
export const exportPath = '/internal/export';

/** By the owner's own names for what it holds: `{enrollments: [...], notes: [...]}`. Nothing held is `{}`. */
export const PersonalData = Type.Record(Type.String(), Type.Unknown());
export type PersonalData = Static<typeof PersonalData>;
