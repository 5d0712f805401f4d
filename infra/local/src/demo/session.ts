import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient, type Wait } from '@lms/client';

/** A user with an API client that sends their token. */
export interface DemoUser {
  client: Client;
  /** The fetch function of the client, for URLs that are sufficient without a token. */
  fetch: (request: Request) => Promise<Response>;
}

const maxLength = 400;
const shorten = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength)} … (${text.length} characters)` : text;

export const printStep = (text: string) => console.log(`\n\u001b[1m${text}\u001b[0m`);

/** Prints every request with its response. */
export function createDemoSession(baseUrl: string) {
  let count = 0;

  const createFetch = (name: string) => async (request: Request) => {
    count += 1;
    const number = count;
    const { pathname, search } = new URL(request.url);
    const details = isJson(request.headers) ? ` ${shorten(await request.clone().text())}` : describeHeaders(request);
    console.log(`\n${number}. ${name} → ${request.method} ${pathname}${search}${details}`);
    const response = await fetch(request);
    console.log(`   ${response.status} ${await describeResponse(response.clone())}`);
    return response;
  };

  return {
    /** Without a token, requests are anonymous. */
    createUser(name: string, token?: string): DemoUser {
      const fetch = createFetch(name);
      // A second run in the same minute exceeds the rate limits.
      const onWait = ({ seconds, status }: Wait) => console.log(`   ${status}: waiting for ${seconds} s`);
      return { fetch, client: createClient({ baseUrl, fetch, token: () => token, maxWaitSeconds: 60, onWait }) };
    },
    requestCount: () => count,
  };
}

const isJson = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false;

function describeHeaders({ headers }: Request): string {
  const extra = ['range', 'if-none-match'].flatMap((name) =>
    headers.has(name) ? `${name}: ${headers.get(name)}` : [],
  );
  if (headers.get('content-type')?.startsWith('multipart/')) extra.push('a form with a file');
  return extra.length > 0 ? ` (${extra.join(', ')})` : '';
}

async function describeResponse(response: Response): Promise<string> {
  if (isJson(response.headers)) return shorten(await response.text());
  const { byteLength } = await response.arrayBuffer();
  return `${response.headers.get('content-type') ?? 'no body'}, ${byteLength} bytes`;
}

/** @throws if the response has another status. Its body may be anything. */
export async function expectStatus<A extends { response: Response }>(status: number, request: Promise<A>): Promise<A> {
  const result = await request;
  const { url, status: given } = result.response;
  assert(given === status, `${new URL(url).pathname} responded with ${given} instead of ${status}`);
  return result;
}

// Events take at most a second while NATS is available, and ten without it.
const eventTimeoutMs = 10_000;

/** Repeats a request until it has the expected status: the effect of an event in another service takes a moment. */
export async function expectEventually(status: number, send: () => Promise<{ response: Response }>) {
  const deadline = Date.now() + eventTimeoutMs;
  let result = await send();
  while (result.response.status !== status && Date.now() < deadline) {
    await pause(100);
    result = await send();
  }
  await expectStatus(status, Promise.resolve(result));
}

export function assert(condition: boolean, claim: string) {
  if (!condition) throw new Error(`Assertion failed: ${claim}`);
}
