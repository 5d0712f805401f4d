import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { JobFileResponse } from '@lms/contracts/internal/media';
import { RequiredText, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const internalRoute = { tags: ['internal'], security: [{ bearer: [] as string[] }], hide: true };
const fileRoute = { ...internalRoute, params: idParams('File') };
const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const Download = { description: 'The file', content: { '*/*': { schema: Bytes } } };

export const storeJobFile = {
  ...fileRoute,
  operationId: 'storeJobFile',
  summary: 'Stores a file of an import or export',
  consumes: ['application/octet-stream'],
  querystring: Type.Object({ fileName: RequiredText(1_024), expiresAt: Timestamp() }),
  response: { 201: JobFileResponse, ...errorResponses(401, 403, 404, 408, 409, 413, 415, 422, 429, 503) },
};

export const readJobFile = {
  ...fileRoute,
  operationId: 'readJobFile',
  summary: 'Returns the bytes of a file, or a range of them',
  response: { 200: Download, 206: Download, 304: Type.Null(), ...errorResponses(401, 403, 404, 412, 416, 503) },
};

export const discardJobFile = {
  ...fileRoute,
  operationId: 'discardJobFile',
  summary: 'Deletes a file',
  response: { 200: Success(Type.Object({ id: Id })), ...errorResponses(401, 403, 404, 503) },
};
