import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Principal, roles } from '@lms/contracts/passport';
import { errorEnvelope } from '@lms/service/error-handler';
import { forbidden } from '@lms/service/problems';
import { listen } from '@lms/testing/listen';
import type { Test } from 'tap';

const notSynchronised = forbidden({ required: roles, user_roles: [] }, 'User not synchronised');

/** A request as it reached the upstream. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
}

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Starts an HTTP server that stands for all services. It resolves principals and records the other requests. */
export async function startUpstream(t: Test) {
  const principals = new Map<string, Principal>();
  const requests: ReceivedRequest[] = [];
  const principalRequests: unknown[] = [];
  let handler: Handler | undefined;
  let principalHandler: Handler | undefined;

  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === '/internal/principals') return respondToPrincipal(incoming, outgoing);
    if (handler) return handler(incoming, outgoing);
    // A request that was aborted is not recorded.
    const body = await readAll(incoming).catch(() => undefined);
    if (!body) return;
    const { method = '', url = '', headers, rawHeaders } = incoming;
    requests.push({ method, url, headers, rawHeaders, body });
    return sendJson(outgoing, 200, { success: true, data: { url } });
  });
  const url = await listen(t, server);

  async function respondToPrincipal(incoming: IncomingMessage, outgoing: ServerResponse) {
    const claims = JSON.parse((await readAll(incoming)).toString());
    principalRequests.push(claims);
    if (principalHandler) return principalHandler(incoming, outgoing);
    const found = principals.get(claims.identityProviderId);
    return found
      ? sendJson(outgoing, 200, { success: true, data: found })
      : sendJson(outgoing, 403, errorEnvelope(notSynchronised, 'request-id'));
  }

  return {
    url,
    server,
    principals,
    /** The requests received, except those for principals. */
    requests,
    /** The bodies of the requests for principals. */
    principalRequests,
    lastRequest: () => requests.at(-1),
    /** Sets how requests for principals are handled; undefined: from `principals` again. */
    respondToPrincipalsWith(next: Handler | undefined) {
      principalHandler = next;
    },
    /** Sets how other requests are handled; undefined: with 200 again. */
    respondWith(next: Handler | undefined) {
      handler = next;
    },
  };
}

export async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  outgoing
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));
}
