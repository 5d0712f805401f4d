import { STATUS_CODES } from 'node:http';
import { ErrorEnvelope } from '@lms/contracts/envelope';
import { headersOf } from './headers.ts';

const statuses = [400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 416, 422, 429, 503, 504].map(String);
const nameOf = (status: string) => (STATUS_CODES[status] ?? status).replaceAll(' ', '');

const anyRoute = {
  isRead: false,
  isList: false,
  isDownload: false,
  isRepeatable: false,
  isTagged: false,
  isPersonal: true,
};

/** Errors look the same on every route, so each is described once. */
export const refusals = Object.fromEntries(
  statuses.map((status) => [
    nameOf(status),
    {
      description: STATUS_CODES[status] ?? status,
      headers: headersOf(status, anyRoute),
      content: { 'application/json': { schema: ErrorEnvelope } },
    },
  ]),
);

/** Where an error is described; undefined for what is none. @throws where one is not described */
export function refer(status: string) {
  if (Number(status) < 400) return undefined;
  if (!statuses.includes(status)) throw new Error(`${status} is not described`);
  return { $ref: `#/components/responses/${nameOf(status)}` };
}
