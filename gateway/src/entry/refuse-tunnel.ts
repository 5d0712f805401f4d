import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope } from '@lms/service/error-handler';
import { MethodNotAllowed } from '@lms/service/problems';
import { requestIdHeader, requestIdOf } from '@lms/service/request-id';

/** Answers CONNECT, which node hands over as a bare socket: nobody tunnels through here. */
export function refuseTunnel(incoming: IncomingMessage, socket: Duplex) {
  const requestId = requestIdOf(incoming);
  const body = JSON.stringify(errorEnvelope(new MethodNotAllowed(), requestId));
  socket.on('error', () => undefined);
  socket.end(
    'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\nConnection: close\r\n' +
      `${requestIdHeader}: ${requestId}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
