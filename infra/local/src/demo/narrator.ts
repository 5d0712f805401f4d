import { type Client, createClient, type Wait } from '@lms/client';

/** Somebody in the story, with a client that asks in their name. */
export interface Person {
  name: string;
  client: Client;
  /** The same, for what the typed client has functions of its own for. */
  fetch: (request: Request) => Promise<Response>;
}

export interface Narrator {
  baseUrl: string;
  say(text: string): void;
  /** Lets somebody enter; without a token they are anyone. */
  enter(name: string, token?: string): Person;
  count(): number;
}

const longestLine = 400;
const shorten = (text: string) =>
  text.length > longestLine ? `${text.slice(0, longestLine)} … (${text.length} characters)` : text;

/** Prints every request of the story and its answer. */
export function createNarrator(baseUrl: string): Narrator {
  let count = 0;

  const tell = (name: string) => async (request: Request) => {
    count += 1;
    const number = count;
    const { pathname, search } = new URL(request.url);
    const asked = isJson(request.headers) ? ` ${shorten(await request.clone().text())}` : partsOf(request);
    console.log(`\n${number}. ${name} → ${request.method} ${pathname}${search}${asked}`);
    const response = await fetch(request);
    console.log(`   ${response.status} ${await describe(response.clone())}`);
    return response;
  };

  return {
    baseUrl,
    say: (text) => console.log(`\n\u001b[1m${text}\u001b[0m`),
    enter(name, token) {
      const fetch = tell(name);
      // A second run in the same minute reaches the rate limits.
      const onWait = ({ seconds, status }: Wait) => console.log(`   ${status}: waiting for ${seconds} s`);
      const client = createClient({ baseUrl, fetch, token: () => token, maxWaitSeconds: 60, onWait });
      return { name, fetch, client };
    },
    count: () => count,
  };
}

const isJson = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false;

function partsOf({ headers }: Request): string {
  const extra = ['range', 'if-none-match'].flatMap((name) =>
    headers.has(name) ? `${name}: ${headers.get(name)}` : [],
  );
  if (headers.get('content-type')?.startsWith('multipart/')) extra.push('a form with a file');
  return extra.length > 0 ? ` (${extra.join(', ')})` : '';
}

async function describe(response: Response): Promise<string> {
  if (isJson(response.headers)) return shorten(await response.text());
  const { byteLength } = await response.arrayBuffer();
  return `${response.headers.get('content-type') ?? 'no body'}, ${byteLength} bytes`;
}
