import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { Test } from 'tap';
import { parse } from 'yaml';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The workspaces that the Dockerfile accepts as WORKSPACE. */
export const deployables = [
  'services/identity',
  'services/content',
  'services/media',
  'services/enrollment',
  'gateway',
  'infra/identity-provider',
  'infra/local',
];

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Container {
  image: string;
  build?: { context: string; dockerfile: string; args: Record<string, string> };
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  tmpfs?: string[];
  ports?: string[];
  networks?: string[];
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  profiles?: string[];
  restart: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
}

export interface ComposeFile {
  services: Record<string, Container>;
  networks: Record<string, object>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

export const composeText = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

/** Reads docker-compose.yml and interpolates its variables, like Compose. */
export function readCompose(variables: Variables): ComposeFile {
  return Object(interpolateAll(parse(composeText, { merge: true, maxAliasCount: -1 }), variables));
}

function interpolateAll(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => interpolateAll(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, interpolateAll(item, variables)]));
}

/** Runs `npm run env` for a temporary directory. */
export function makeEnvironment(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'lms-env-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(root, 'infra/docker/env/main.mjs'), directory], { stdio: 'ignore', env: {} });
  const variables = parseEnv(readFileSync(join(directory, '.env'), 'utf8'));
  return { directory, variables };
}

const reference = /\$\{([A-Z][A-Z0-9_]*)(?::([-?])([^}]*))?\}/g;

export const variablesOf = (text: string) => [...text.matchAll(reference)].map(([, name = '']) => name);

/** The subset of Compose's interpolation that the file uses. @throws if a required variable is missing */
export function interpolate(text: string, variables: Variables): string {
  return text.replace(reference, (_whole, name, operator, fallback) => {
    const value = variables[name];
    if (value) return value;
    if (operator === '?') throw new Error(`${name} is required`);
    return operator === '-' ? fallback : '';
  });
}
