import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { etags } from '@lms/service/etags';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { LRUCache } from 'lru-cache';
import { basePathOf } from '../config.ts';
import { addVary } from '../headers.ts';
import type { Options } from '../options.ts';
import { addSignIn, type Document, toPageDocument, withViewport } from './docs-page.ts';

const discoveryMs = 2_000;
const knownMs = 10 * 60_000;
const unknownMs = 30_000;
const maxCompressed = 32;
const compress = promisify(gzip);

/** The interface's document, and Swagger UI for it; nothing is loaded from elsewhere. */
export const docs: FastifyPluginAsync<Options> = async (app, { config }) => {
  const read = (file: string) => readFileSync(new URL(import.meta.resolve(`gateway/${file}`)));
  const source = read('openapi.json');
  const servers = [{ url: basePathOf(config) || '/', description: 'This gateway' }];
  const parse = (): Document => ({ ...JSON.parse(String(source)), servers });
  // Created by the first request: it takes several MB, which a gateway without readers does not need.
  const discovered = new LRUCache<string, ReturnType<typeof toShown>>({
    max: 1,
    ttl: knownMs,
    async fetchMethod(issuer, known, { options }) {
      const signIn = await findSignIn(issuer);
      if (signIn) return toShown(parse(), signIn);
      options.ttl = unknownMs;
      // What the provider said goes on while it says nothing.
      return known ?? toShown(parse());
    },
  });
  let shown: ReturnType<typeof toShown> | undefined;
  app.addHook('preHandler', async () => {
    shown = await discovered.fetch(config.IDP_ISSUER);
  });
  await app.register(etags);
  compressOnce(app);
  for (const path of ['/', '/api']) app.get(path, (_request, reply) => reply.redirect('/api/docs'));
  app.get('/api/openapi.json', async (_request, reply) => {
    reply.headers({ ...shown?.document.headers });
    return shown?.document.content;
  });
  // The plugin would convert the document for each request, which takes most of a second.
  app.addHook('onRoute', (route) => {
    if (route.url === '/api/docs/yaml') route.handler = (_request, reply) => reply.callNotFound();
  });
  // Swagger UI requires a document here, and shows that of `transformSpecification`.
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await app.register(swagger, { mode: 'static', specification: { document } });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      filter: true,
      tryItOutEnabled: true,
      persistAuthorization: true,
    },
    initOAuth: {
      clientId: config.DOCS_CLIENT_ID,
      scopes: 'openid email profile',
      usePkceWithAuthorizationCodeGrant: true,
    },
    transformSpecificationClone: false,
    transformSpecification: (_document, _request, reply) => {
      reply.headers({ ...shown?.page.headers });
      return shown?.page.content ?? {};
    },
    theme: { title: 'API reference', css: [{ filename: 'page.css', content: String(read('docs.css')) }] },
    // Scripts come from here alone; tokens are fetched from the provider. Swagger UI sets styles on its elements.
    staticCSP: true,
    transformStaticCSP: () =>
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
      `connect-src 'self' ${shown?.provider ?? ''}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  });
};

/** What readers get; `provider` is the origin from which the page fetches tokens. */
function toShown(content: Document, signIn?: Awaited<ReturnType<typeof findSignIn>>) {
  if (signIn) addSignIn(content, signIn);
  const provider = signIn ? new URL(signIn.tokenUrl).origin : '';
  return { document: toPrepared(content), page: toPrepared(toPageDocument(content)), provider };
}

/** A document's bytes and headers. They are large, and the same for all readers. */
function toPrepared(document: object) {
  const content = Buffer.from(JSON.stringify(document));
  const etag = `"${hash('sha1', content, 'base64')}"`;
  return { content, headers: { 'content-type': 'application/json; charset=utf-8', etag } };
}

const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** Compresses the documents, the page and its files. Each is compressed once, since they are the same for all readers. */
function compressOnce(app: FastifyInstance) {
  const compressed = new LRUCache<string, Promise<Buffer>>({ max: maxCompressed });
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    addVary(reply, 'Accept-Encoding');
    if (reply.statusCode !== 200) return payload;
    const content = typeof payload === 'string' ? withViewport(payload) : payload;
    const tag = String(reply.getHeader('etag') ?? '').replace(/^W\//, '');
    if (!tag || !acceptsGzip.test(request.headers['accept-encoding'] ?? '')) return content;

    // A path has many spellings: any of its characters may be escaped.
    const key = `${decodeURIComponent(request.url.split('?', 1)[0] ?? '')} ${tag}`;
    const known = compressed.get(key);
    // The static files have no body for HEAD.
    if (!known && request.method === 'HEAD' && !Buffer.isBuffer(content)) return content;
    if (known && content instanceof Readable) content.destroy();
    const compressing = known ?? toCompressed(content);
    if (!known) compressed.set(key, compressing);
    const bytes = await compressing.catch((error: unknown) => {
      compressed.delete(key);
      throw error;
    });
    reply.removeHeader('content-length');
    // Not the bytes that the strong tag names.
    reply.header('etag', `W/${tag}`).header('content-encoding', 'gzip');
    return bytes;
  });
}

const toCompressed = async (content: unknown) =>
  compress(content instanceof Readable ? await buffer(content) : String(content));

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** Where the identity provider signs people in, as its discovery document says. */
async function findSignIn(issuer: string) {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await fetch(url, { signal: AbortSignal.timeout(discoveryMs), redirect: 'error' })
    .then((response) => response.json())
    .catch(() => undefined);
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = Object(found);
  return isUrl(authorizationUrl) && isUrl(tokenUrl) ? { authorizationUrl, tokenUrl } : undefined;
}
