import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { readStack } from './running-stack.ts';
import { messageOf } from './supervisor/process.ts';

const maxLength = 400;
const shorten = (text: string) =>
  text.length > maxLength ? `${text.slice(0, maxLength)} … (${text.length} characters)` : text;
const isText = (headers: Headers) => /json|urlencoded/.test(headers.get('content-type') ?? '');

const { fetch } = globalThis;
let requestCount = 0;

/** Who sends a request: the first part of the e-mail address in the token. */
function senderOf({ headers }: Request): string {
  const [, payload = ''] = headers.get('authorization')?.split('.') ?? [];
  return payload && JSON.parse(Buffer.from(payload, 'base64url').toString()).email.replace(/[-@].*/, '');
}

/** As fetch, and prints the request and its response; of requests to the API only the path. */
async function printingFetch(apiUrl: string, request: Request): Promise<Response> {
  requestCount += 1;
  const { headers, method } = request;
  const target = request.url.replace(apiUrl, '');
  const body = isText(headers) ? await request.clone().text() : (headers.get('range') ?? headers.get('content-type'));
  console.log(`\n${requestCount}. ${senderOf(request) || 'anyone'} → ${method} ${target} ${shorten(body ?? '')}`);
  const response = await fetch(request);
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const type = response.headers.get('content-type') ?? 'no body';
  const result = isText(response.headers) ? shorten(String(bytes)) : `${type}, ${bytes.length} bytes`;
  console.log(`   ${response.status} ${result}`);
  return response;
}

/** `npm run demo`: runs the example of the client and prints each request. Exits with 1 if a response is not as expected. */
try {
  const { gatewayUrl, providerUrl } = await readStack(process.env);
  const resolve = (path: string) => new URL(`../../../${path}`, import.meta.url);
  process.env.VIDEO_FILE ??= fileURLToPath(resolve('infra/local/assets/number-line.mp4'));
  process.argv.splice(2, 2, gatewayUrl, providerUrl);
  globalThis.fetch = (...args) => printingFetch(gatewayUrl, new Request(...args));
  await import(resolve('packages/client/examples/node/story.mjs').href);
  console.log(styleText('bold', `\n✓ All ${requestCount} responses were as expected.`));
} catch (error) {
  console.error(`\n✗ ${messageOf(error)}`);
  process.exitCode = 1;
}
