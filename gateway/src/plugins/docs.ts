import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { etags } from '@lms/service/etags';
import { shareReading } from '@lms/telemetry/metrics';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { basePathOf, type Options } from '../config.ts';
import { addVary } from './browser-headers.ts';

interface Document {
  components: {
    securitySchemes: { provider?: object; bearer: object };
    responses: Record<string, { headers?: object }>;
  };
  paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  description?: string;
  security?: Record<string, string[]>[];
  'x-codeSamples'?: { label: string; source: string }[];
}
interface SignIn {
  authorizationUrl: string;
  tokenUrl: string;
}

const discoveryMs = 2_000;
const retryMs = 30_000;
const scopes = { openid: 'Who you are', email: 'Your e-mail address', profile: 'Your name' };
const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;
const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const compress = promisify(gzip);

/** The interface's document, and Swagger UI for it; nothing is loaded from elsewhere. */
export const docs: FastifyPluginAsync<Options> = async (app, { config }) => {
  const read = (file: string) => readFileSync(new URL(import.meta.resolve(`gateway/${file}`)));
  const source = read('openapi.json');
  const servers = [{ url: basePathOf(config) || '/', description: 'This gateway' }];

  // Created by the first request: it takes several MB, which a gateway without readers does not need.
  let shown: ReturnType<typeof toShown> | undefined;
  let triedAt = 0;
  const discover = shareReading(async () => {
    const signIn = await findSignIn(config.IDP_ISSUER);
    triedAt = performance.now();
    if (signIn || !shown) shown = toShown({ ...JSON.parse(String(source)), servers }, signIn);
  });
  app.addHook('preHandler', async () => {
    if (!shown || (!shown.provider && performance.now() - triedAt > retryMs)) await discover();
  });

  await app.register(etags);
  compressOnce(app);
  for (const path of ['/', '/api']) app.get(path, (_request, reply) => reply.redirect('/api/docs'));
  app.get('/api/openapi.json', (_request, reply) => {
    reply.headers({ ...shown?.document.headers }).send(shown?.document.content);
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
      scopes: Object.keys(scopes).join(' '),
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

/**
 * The document, and as the page shows it: signing in at the provider is the first way, the signatures of webhooks, which no
 * reader makes, are none; the code samples, which Swagger UI does not know, are part of the descriptions; and errors do not
 * repeat their headers, which would fill most of the page. `provider` is the origin from which the page fetches tokens.
 */
function toShown(document: Document, signIn: SignIn | undefined) {
  const { securitySchemes, responses } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  if (signIn) {
    const flows = { authorizationCode: { ...signIn, scopes } };
    securitySchemes.provider = { type: 'oauth2', description: 'Sign in at the identity provider', flows };
    // Wherever a bearer token is accepted, one from the provider is too.
    for (const { security } of operations)
      if (security?.some((requirement) => 'bearer' in requirement)) security.push({ provider: [] });
  }
  const prepared = toPrepared(document);
  const { provider, bearer } = securitySchemes;
  document.components.securitySchemes = { ...(provider && { provider }), bearer };
  for (const response of Object.values(responses)) response.headers = {};
  for (const operation of operations) {
    const { 'x-codeSamples': samples = [], description = '', security = [] } = operation;
    const blocks = samples.map(({ label, source }) => `**${label}**\n\n\`\`\`\n${source}\n\`\`\``);
    operation.description = [description, ...blocks].join('\n\n');
    operation.security = security.filter((requirement) => !('webhookSignature' in requirement)).toReversed();
    delete operation['x-codeSamples'];
  }
  return {
    document: prepared,
    page: toPrepared(document),
    provider: signIn ? new URL(signIn.tokenUrl).origin : '',
  };
}

/** A document's bytes and headers. They are large, and the same for all readers. */
function toPrepared(document: object) {
  const content = Buffer.from(JSON.stringify(document));
  const etag = `"${hash('sha1', content, 'base64')}"`;
  return { content, headers: { 'content-type': 'application/json; charset=utf-8', etag } };
}

/** Compresses the documents, the page and its files. Each is compressed once, since they are the same for all readers. */
function compressOnce(app: FastifyInstance) {
  const compressed = new Map<string, Promise<Buffer>>();
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    addVary(reply, 'Accept-Encoding');
    // The page of the plugin has no viewport, without which phones show it as wide as a desktop.
    const content = typeof payload === 'string' ? payload.replace('<meta charset="UTF-8">', `$&${viewport}`) : payload;
    const tag = String(reply.getHeader('etag') ?? '').replace(/^W\//, '');
    const isAccepted = acceptsGzip.test(request.headers['accept-encoding'] ?? '');
    if (reply.statusCode !== 200 || !tag || !isAccepted) return content;

    // A path has many spellings: any of its characters may be escaped.
    const key = `${decodeURIComponent(request.url.split('?', 1)[0] ?? '')} ${tag}`;
    let bytes = compressed.get(key);
    // The static files have no body for HEAD.
    if (!bytes && request.method === 'HEAD' && !Buffer.isBuffer(content)) return content;
    if (bytes && content instanceof Readable) content.destroy();
    if (!bytes) {
      bytes = toCompressed(content);
      compressed.set(key, bytes);
      bytes.catch(() => compressed.delete(key));
    }
    // Not the bytes that the strong tag names.
    reply.removeHeader('content-length').header('etag', `W/${tag}`).header('content-encoding', 'gzip');
    return bytes;
  });
}

const toCompressed = async (content: unknown) =>
  compress(content instanceof Readable ? await buffer(content) : String(content));

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** Where the identity provider signs people in, as its discovery document says. */
async function findSignIn(issuer: string): Promise<SignIn | undefined> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await fetch(url, { signal: AbortSignal.timeout(discoveryMs), redirect: 'error' })
    .then((response) => response.json())
    .catch(() => undefined);
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = Object(found);
  return isUrl(authorizationUrl) && isUrl(tokenUrl) ? { authorizationUrl, tokenUrl } : undefined;
}
