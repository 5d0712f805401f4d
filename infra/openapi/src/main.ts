import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from './generate.ts';
import { root } from './read-documents.ts';

// `pnpm --filter openapi generate`: writes the document that the gateway serves, and the files that are made from it.
for (const [file, text] of Object.entries(await generate())) await writeFile(join(root, file), text);
