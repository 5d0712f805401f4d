import { setTimeout as pause } from 'node:timers/promises';

export interface Person {
  name: string;
  token: string;
}

export interface Step {
  method?: string;
  path: string;
  /** Who asks; nobody in particular when left out. */
  as?: Person;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** The status that the story needs. */
  expect: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON body, or undefined for streamed bytes. */
  json: unknown;
  bytes: Buffer;
}

const longestLine = 400;
const shorten = (text: string) =>
  text.length > longestLine ? `${text.slice(0, longestLine)} … (${text.length} characters)` : text;

/** Plays requests against one base URL and prints each with its answer. */
export function createNarrator(baseUrl: string) {
  let count = 0;

  function say(text: string) {
    console.log(`\n\u001b[1m${text}\u001b[0m`);
  }

  async function play({ method = 'GET', path, as, json, form, headers = {}, expect }: Step): Promise<Answer> {
    count += 1;
    console.log(
      `\n${count}. ${as?.name ?? 'anyone'} → ${method} ${path}${json === undefined ? '' : ` ${shorten(JSON.stringify(json))}`}${form ? ` ${describe(form)}` : ''}`,
    );
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const answer = await read(response);
    console.log(
      `   ${response.status} ${answer.json === undefined ? `${response.headers.get('content-type')}, ${answer.bytes.length} bytes` : shorten(JSON.stringify(answer.json))}`,
    );
    if (response.status === 429 && expect !== 429) {
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      console.log(`   (a limit was reached; going on in ${seconds} s)`);
      await pause(seconds * 1_000);
      return play({
        method,
        path,
        ...(as && { as }),
        ...(json !== undefined && { json }),
        ...(form && { form }),
        headers,
        expect,
      });
    }
    if (response.status !== expect)
      throw new Error(`${method} ${path} should have been answered ${expect}, not ${response.status}`);
    return answer;
  }

  return { say, play, count: () => count };
}
export type Narrator = ReturnType<typeof createNarrator>;

async function read(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0;
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

function describe(form: FormData): string {
  return [...form]
    .map(([name, value]) =>
      typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name} (${value.size} bytes)`,
    )
    .join(' ');
}
