import { type Static, Type } from '@sinclair/typebox';

/** `GET` returns all data that the service stores about the caller (content, media, enrollment). */
export const exportPath = '/internal/export';

/** Keys are chosen by the service: `{enrollments: [...], notes: [...]}`; `{}` if it stores nothing. */
export const PersonalData = Type.Record(Type.String(), Type.Unknown());
export type PersonalData = Static<typeof PersonalData>;
