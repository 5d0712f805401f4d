import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@lms/contracts/errors';
import { requestIdHeader, requestIdOf } from './request-id.ts';

interface Refusal {
  status: number;
  code: ErrorCode;
  headers?: string;
}

const refusals: Record<string, Refusal> = {
  HPE_INVALID_METHOD: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    headers: 'Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n',
  },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'VALIDATION_ERROR' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'VALIDATION_ERROR' },
};

/** What the HTTP parser refuses never reaches a route, so it is answered here, by hand, and the connection ends. */
export function refuseUnparsable(this: unknown, error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, code, headers = '' } = refusals[error.code ?? ''] ?? { status: 400, code: 'VALIDATION_ERROR' };
  const text = STATUS_CODES[status] ?? 'Bad Request';
  const requestId = requestIdOf({ headers: {} });
  const body = JSON.stringify({ success: false, error: text, code, requestId });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${requestIdHeader}: ${requestId}\r\n${headers}Connection: close\r\n\r\n${body}`,
  );
}
