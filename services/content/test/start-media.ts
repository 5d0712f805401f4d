import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createServiceTokens } from '@lms/auth/service-tokens';
import { serviceTokenHeader } from '@lms/contracts/passport';
import { createServiceClient } from '@lms/service/service-client';
import { testServiceSecret } from '@lms/testing/principals';
import type { Test } from 'tap';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** A server with the routes of media that exports use. It stores files in memory and requires service tokens. */
export async function startMedia(t: Test) {
  const files = new Map<string, { bytes: Buffer; fileName: string }>();
  /** The bytes of videos, captions and documents, by address. */
  const media = new Map<string, Buffer>();
  let intercept: Intercept = () => false;
  const tokens = createServiceTokens(testServiceSecret);

  const server = createServer(async (request, response) => {
    if (await intercept(request, response)) return;
    const { method = 'GET', url = '/' } = request;
    const fail = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ success: false, code, error: 'Failed', requestId: '' }));
    try {
      tokens.verify(String(request.headers[serviceTokenHeader]), true);
    } catch {
      return fail(401, 'UNAUTHORIZED');
    }
    const { pathname, searchParams } = new URL(url, 'http://media');
    const jobFile = /^\/internal\/job-files\/(\w+)$/.exec(pathname)?.[1];
    if (jobFile !== undefined && method === 'PUT') {
      const bytes = await buffer(request).catch(() => undefined);
      if (!bytes) return;
      if (files.has(jobFile)) return fail(409, 'CONFLICT');
      const fileName = searchParams.get('fileName') ?? '';
      files.set(jobFile, { bytes, fileName });
      const data = {
        ...{ id: jobFile, fileName, mimeType: 'application/zip', size: bytes.length },
        checksum: `sha256:${sha256(bytes)}`,
        expiresAt: searchParams.get('expiresAt'),
      };
      return response.writeHead(201).end(JSON.stringify({ success: true, data }));
    }
    const stored = jobFile === undefined ? media.get(url) : files.get(jobFile)?.bytes;
    if (!stored) return fail(404, 'NOT_FOUND');
    const etag = `"${sha256(stored)}"`;
    if ((request.headers['if-match'] ?? etag) !== etag) return fail(412, 'PRECONDITION_FAILED');
    const common = { etag, 'cache-control': 'private, no-store' };
    if (['*', etag].includes(request.headers['if-none-match'] ?? '')) return response.writeHead(304, common).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const bytes = first === undefined ? stored : stored.subarray(Number(first), Number(last) + 1);
    response.writeHead(first === undefined ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      'content-disposition': `attachment; filename="${files.get(jobFile ?? '')?.fileName}"`,
      ...common,
      ...(first !== undefined && { 'content-range': `bytes ${first}-${last}/${stored.length}` }),
    });
    return response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const client = createServiceClient(`http://127.0.0.1:${address.port}`, { timeoutMs: 30_000 });
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await client.close();
  });

  return {
    client,
    files,
    media,
    sha256,
    /** Called before each request; returns true if it has responded, or never will. */
    intercept(handler: Intercept) {
      intercept = handler;
    },
    stopIntercepting() {
      intercept = () => false;
    },
  };
}
