// Implements the part of S3 that the drivers use. It discards the bytes and stores their number, to add no cost.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

const block = Buffer.alloc(256 * 1024, 'lms');

const sizes = new Map<string, number>();
const open = new Map<string, number>();
let running = 0;

createServer((request, response) => {
  running += 1;
  response.once('close', () => {
    running -= 1;
  });
  respond(request, response).catch(() => response.destroy());
}).listen(Number(process.env.PORT), '127.0.0.1');

async function respond(request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
  const uploadId = searchParams.get('uploadId');
  // Not S3: the counts that the measurement reads.
  if (pathname === '/')
    return send(response, 200, JSON.stringify({ objects: sizes.size, open: open.size, running: running - 1 }));
  if (request.method === 'PUT') {
    const bytes = await drain(request);
    if (uploadId === null) sizes.set(pathname, bytes);
    else open.set(uploadId, (open.get(uploadId) ?? 0) + bytes);
    return send(response, 200, '', { etag: '"0"' });
  }
  if (request.method === 'POST') {
    await drain(request);
    const id = uploadId ?? randomUUID();
    if (uploadId === null) open.set(id, 0);
    else {
      sizes.set(pathname, open.get(id) ?? 0);
      open.delete(id);
    }
    const name = uploadId === null ? 'InitiateMultipartUploadResult' : 'CompleteMultipartUploadResult';
    return send(response, 200, `<${name}><UploadId>${id}</UploadId><ETag>"0"</ETag></${name}>`);
  }
  if (request.method === 'DELETE') {
    if (uploadId === null) sizes.delete(pathname);
    else open.delete(uploadId);
    return send(response, 204, '');
  }
  return read(request, response, pathname);
}

function read(request: IncomingMessage, response: ServerResponse, pathname: string) {
  const size = sizes.get(pathname);
  if (size === undefined) return send(response, /^.[^/]+.?$/.test(pathname) ? 200 : 404, '');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)];
  const headers = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${size}` };
  response.writeHead(from === undefined ? 200 : 206, headers);
  if (request.method === 'HEAD') return response.end();
  const body = Readable.from(blocks(end - start + 1));
  response.once('close', () => body.destroy());
  return body.pipe(response);
}

function send(response: ServerResponse, status: number, body: string, headers = {}) {
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    'content-type': 'application/xml',
  });
  response.end(body);
}

async function drain(request: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of request) bytes += chunk.length;
  return bytes;
}

async function* blocks(length: number) {
  for (let left = length; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block;
}
