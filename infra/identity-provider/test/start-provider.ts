import { join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import { type Logger, pino } from 'pino';
import type { Test } from 'tap';
import { buildApp } from '../src/app.ts';
import { createInitialState, openStore } from '../src/store.ts';
import type { Webhook } from '../src/webhooks.ts';

export interface Started {
  url: string;
  file: string;
  close(): Promise<void>;
}

export interface StartOptions {
  /** The data file of an earlier start. */
  file?: string;
  webhook?: Webhook;
  issuer?: string;
  allowedHosts?: string[];
  logger?: Logger;
}

// Its key and the hashes of its passwords take a quarter of a second of processor time.
const initialState = createInitialState();

/** Starts the provider as main.ts does, on a free port, until the test ends. New providers begin with the same accounts. */
export async function startProvider(t: Test, options: StartOptions = {}): Promise<Started> {
  const { file = join(t.testdir(), 'state.json'), logger = pino({ level: 'silent' }), ...rest } = options;
  const store = openStore(file, () => structuredClone(initialState));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const app = buildApp({ issuer: url, ...rest, logger, store });
  await app.listen({ host: '127.0.0.1', port });
  const close = async () => {
    await app.close();
  };
  t.teardown(close);
  return { url, file, close };
}

export interface TokenResponse {
  status: number;
  body: Record<string, unknown>;
}

export async function requestToken(url: string, form: Record<string, string>): Promise<TokenResponse> {
  const body = new URLSearchParams({ client_id: 'lms-local', ...form });
  const response = await fetch(`${url}/token`, { method: 'POST', body });
  return { status: response.status, body: parseObject(await response.text()) };
}

export function signIn(url: string, username: string, password = 'password'): Promise<TokenResponse> {
  return requestToken(url, { grant_type: 'password', username, password });
}

export async function send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: parseObject(await response.text()) };
}

function parseObject(text: string): Record<string, unknown> {
  return text === '' ? {} : JSON.parse(text);
}

/** Polls until the condition holds. */
export async function waitFor(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so within ${withinMs} ms: ${condition}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}
