import { writeFile } from 'node:fs/promises';
import { documentFile } from './document-file.ts';
import { generate } from './generate.ts';

/** `pnpm --filter openapi generate`: writes the document that the gateway serves and the client is made from. */
await writeFile(documentFile, await generate());
