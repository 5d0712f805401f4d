import { type Client, createClient, type Wait } from '@lms/client';

/** A user with an API client that sends their token. */
export interface DemoUser {
  name: string;
  client: Client;
  /** The fetch function of the client, for uploads. */
  fetch: (request: Request) => Promise<Response>;
}

export interface DemoSession {
  baseUrl: string;
  printStep(text: string): void;
  /** Without a token, requests are anonymous. */
  createUser(name: string, token?: string): DemoUser;
  requestCount(): number;
}

const maxLength = 400;
const shorten = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength)} … (${text.length} characters)` : text;

/** Prints every request with its response. */
export function createDemoSession(baseUrl: string): DemoSession {
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
    baseUrl,
    printStep: (text) => console.log(`\n\u001b[1m${text}\u001b[0m`),
    createUser(name, token) {
      const fetch = createFetch(name);
      // A second run in the same minute exceeds the rate limits.
      const onWait = ({ seconds, status }: Wait) => console.log(`   ${status}: waiting for ${seconds} s`);
      const client = createClient({ baseUrl, fetch, token: () => token, maxWaitSeconds: 60, onWait });
      return { name, fetch, client };
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
