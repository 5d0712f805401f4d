import { defineProblem } from '@lms/service/problems';

export const MalformedUpload = defineProblem('VALIDATION_ERROR', 400, 'Validation failed', {
  field: 'body',
  message: 'must be well-formed multipart/form-data',
  value: null,
});
export const UploadTooSlow = defineProblem(
  'REQUEST_TIMEOUT',
  408,
  'The upload is too slow: it averaged less than 1 KiB per second over 30 seconds',
);
export const UploadTooLarge = defineProblem('PAYLOAD_TOO_LARGE', 413, 'The file is too large');
export const NotMultipart = defineProblem('UNSUPPORTED_MEDIA_TYPE', 415, 'The body must be multipart/form-data');
export const RangeNotSatisfiable = defineProblem('RANGE_NOT_SATISFIABLE', 416, 'The range is outside the file');
