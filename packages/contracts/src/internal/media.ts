import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Id } from '../ids.ts';
import { Timestamp } from '../text.ts';

/**
 * The files of imports and exports, for the service that runs them. `PUT` with the bytes as `application/octet-stream`
 * stores one under an id that the caller chose (409 if it exists), `GET` returns the bytes or a range of them, and `DELETE`
 * discards it. It is deleted by itself when it expires.
 */
export const jobFilePath = (id: string) => `/internal/job-files/${id}`;
export const putJobFilePath = (id: string, { fileName, expiresAt }: { fileName: string; expiresAt: Date }) =>
  `${jobFilePath(id)}?${new URLSearchParams({ fileName, expiresAt: expiresAt.toISOString() })}`;
export const JobFile = Type.Object({
  id: Id,
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer(),
  checksum: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  expiresAt: Timestamp(),
});
export type JobFile = Static<typeof JobFile>;
export const JobFileResponse = Success(JobFile);
