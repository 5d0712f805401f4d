import { writeFile } from 'node:fs/promises';
import { toCollection } from './collection.ts';
import { collectionFile, documentFile, errorPageFile, generate } from './generate.ts';
import { toErrorPage } from './refusals.ts';

/** `pnpm --filter openapi generate`: writes the document that the gateway serves, and the files that are made from it. */
const document = await generate();
await writeFile(documentFile, document);
await writeFile(collectionFile, `${JSON.stringify(toCollection(JSON.parse(document)), null, 2)}\n`);
await writeFile(errorPageFile, toErrorPage());
