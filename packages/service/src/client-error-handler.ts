import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope } from './error-handler.ts';
import { badRequest, HeadersTooLarge, MethodNotAllowed, RequestTimeout, UriTooLong } from './problems.ts';
import { requestIdHeader, requestIdOf } from './request-id.ts';
import { isUrlTooLong } from './url-length.ts';

interface ParserError extends Error {
  code?: string;
  /** The bytes being parsed; Fastify types them as JSON. */
  rawPacket?: unknown;
}

function toProblem({ code, rawPacket }: ParserError) {
  switch (code) {
    case 'HPE_INVALID_METHOD':
      return new MethodNotAllowed({ headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } });
    case 'HPE_HEADER_OVERFLOW':
      // The parser counts the URL among the headers.
      return isUrlTooLong(targetOf(rawPacket)) ? new UriTooLong() : new HeadersTooLarge();
    case 'HPE_INVALID_URL':
      return badRequest({ field: 'path', message: 'must begin with a slash and be ASCII' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeout();
    default:
      return badRequest({ field: 'request', message: 'must be well-formed HTTP' });
  }
}

// The request target, if these bytes begin with a request line.
const targetOf = (bytes: unknown) =>
  Buffer.isBuffer(bytes) ? bytes.toString('latin1').split(/[ \r]/, 2)[1] : undefined;

/** Responds to requests that the HTTP parser rejects, and closes the connection. They never reach a route. */
export function handleClientError(this: unknown, error: ParserError, socket: Duplex) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // A response has begun, and more bytes would become part of it. Node's own handler looks at this too.
  if (Object(socket)._httpMessage?.headersSent) return void socket.destroy();
  const problem = toProblem(error);
  const { statusCode = 400 } = problem;
  const requestId = requestIdOf({ headers: {} });
  const body = JSON.stringify(errorEnvelope(problem, requestId));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    [requestIdHeader]: requestId,
    ...problem.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`);
}
