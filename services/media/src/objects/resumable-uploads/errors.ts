import { badRequest, defineProblem, invalid, notFound } from '@lms/service/problems';

export const tusVersion = '1.0.0';

export const uploadNotFound = () => notFound('Upload');
const WrongVersion = defineProblem('PRECONDITION_FAILED', 412, `The header Tus-Resumable must be ${tusVersion}`);
export const wrongVersion = () => new WrongVersion({ headers: { 'tus-version': tusVersion } });
export const NotOffsetStream = defineProblem(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'The body must be application/offset+octet-stream, without a content encoding',
);
const Locked = defineProblem('LOCKED', 423, 'Another request is writing this upload');
export const locked = () => new Locked({ headers: { 'retry-after': '1' } });
export const ChecksumMismatch = defineProblem('CHECKSUM_MISMATCH', 460, 'The bytes do not match Upload-Checksum');

const WrongOffset = defineProblem('CONFLICT', 409, 'Upload-Offset is not the offset of the upload');
/** @param offset the right one */
export const offsetConflict = (offset: number) =>
  new WrongOffset({ details: { resource: 'Upload', field: 'Upload-Offset', value: offset } });
export const malformedHeader = (field: string, message: string, value: string | undefined) =>
  badRequest({ field, message, value });
export const emptyFile = () => invalid({ field: 'Upload-Length', message: 'must not be 0', value: 0 });

const TooManyUploads = defineProblem('RATE_LIMITED', 429, 'You have too many unfinished uploads');
/** @param resetAt when the oldest one expires */
export function tooManyUnfinished(limit: number, resetAt: Date) {
  const retryAfter = String(Math.max(1, Math.ceil((resetAt.getTime() - Date.now()) / 1_000)));
  const details = { scope: 'upload', limit, resetAt: resetAt.toISOString() };
  return new TooManyUploads({ details, headers: { 'retry-after': retryAfter } });
}
