// Generates src/interface.ts from the gateway's OpenAPI document. The test compares the result of `generateInterface`.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypeScript, { astToString } from 'openapi-typescript';

const document = new URL('../../gateway/openapi.json', import.meta.url);
const target = new URL('./src/interface.ts', import.meta.url);

export async function generateInterface() {
  const tree = await openapiTypeScript(JSON.parse(await readFile(document, 'utf8')), { alphabetize: true });
  return `// Generated from gateway/openapi.json: pnpm --filter @lms/client generate\n${astToString(tree)}`;
}

if (import.meta.url === new URL(process.argv[1] ?? '', 'file:').href)
  await writeFile(target, await generateInterface());
