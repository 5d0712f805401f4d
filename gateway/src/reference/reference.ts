import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RouteNotFound } from '@lms/service/problems';
import { LRUCache } from 'lru-cache';
import type { Exchange } from '../exchange.ts';
import { page, startScript } from './page.ts';
import { type Asset, asset, sendAsset } from './send-asset.ts';
import { discoverSignIn, type SignIn } from './sign-in.ts';

export interface ReferenceOptions {
  /** The identity provider, where readers may sign in. */
  issuer: string;
  /** The public client that the reference is at the provider. */
  clientId: string;
}

const knownMs = 10 * 60_000;
const unknownMs = 30_000;
const json = 'application/json; charset=utf-8';
const files = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** The interface's document, and the interactive reference made from it. Nothing is loaded from elsewhere. */
export function createReference({
  issuer,
  clientId,
}: ReferenceOptions): Record<string, (exchange: Exchange) => unknown> {
  const assets = readAssets(clientId);
  const open = openReference(issuer);

  return {
    '/api/openapi.json': async (exchange) =>
      sendAsset(exchange, (await open()).document, { policy: "default-src 'none'" }),
    '/api/docs': async (exchange) => sendAsset(exchange, page, { policy: (await open()).policy }),
    '/api/docs/*': async (exchange) => {
      const name = exchange.incoming.url?.split('?')[0]?.slice('/api/docs/'.length) ?? '';
      const found = assets.get(name);
      if (!found) throw new RouteNotFound();
      sendAsset(exchange, found, { policy: (await open()).policy });
    },
  };
}

interface Reference {
  document: Asset;
  policy: string;
}

/**
 * Builds what depends on the provider once for all who ask: when it says nothing, that is held for half a minute, and
 * whatever was known before goes on.
 */
function openReference(issuer: string): () => Promise<Reference> {
  const plain = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const build = (signIn?: SignIn): Reference => ({
    document: asset(json, JSON.stringify(withSignIn(plain, signIn))),
    policy: policy(signIn),
  });
  const cache = new LRUCache<string, Reference>({
    max: 1,
    // Readers do not wait while the provider is asked again.
    allowStale: true,
    noDeleteOnStaleGet: true,
    fetchMethod: async (_issuer, known, { options }) => {
      const signIn = await discoverSignIn(issuer);
      options.ttl = signIn ? knownMs : unknownMs;
      return known && !signIn ? known : build(signIn);
    },
  });
  return () => cache.forceFetch(issuer);
}

function readAssets(clientId: string): ReadonlyMap<string, Asset> {
  const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const read = Object.entries(files).map(
    ([name, type]) => [name, asset(type, readFileSync(join(directory, name)))] as const,
  );
  return new Map([...read, ['start.js', startScript(clientId)]]);
}

/** Scripts come from here alone; the provider is asked for tokens. Swagger UI sets styles on its elements. */
function policy(signIn: SignIn | undefined): string {
  const provider = signIn ? ` ${new URL(signIn.tokenUrl).origin}` : '';
  return `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'${provider}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** Adds the provider's sign-in to what a bearer token can come from. */
function withSignIn(document: { components: { securitySchemes: object } }, signIn: SignIn | undefined) {
  if (!signIn) return document;
  const scopes = { openid: 'Who you are', email: 'Your e-mail address', profile: 'Your name' };
  const provider = {
    type: 'oauth2',
    description: 'Sign in at the identity provider',
    flows: { authorizationCode: { ...signIn, scopes } },
  };
  const paths = JSON.parse(JSON.stringify(Object(document).paths), (key, value) =>
    key === 'security' && Array.isArray(value) ? offerProvider(value) : value,
  );
  const securitySchemes = { ...document.components.securitySchemes, provider };
  return { ...document, paths, components: { ...document.components, securitySchemes } };
}

const offerProvider = (requirements: object[]) =>
  requirements.some((requirement) => 'bearer' in requirement) ? [...requirements, { provider: [] }] : requirements;
