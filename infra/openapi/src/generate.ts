import { toCollection } from './collection.ts';
import { errorPage } from './errors.ts';
import { merge } from './merge.ts';
import { readDocuments } from './read-documents.ts';

/** The generated files with their texts: the document of the whole API, and what is made from it. */
export async function generate(): Promise<Record<string, string>> {
  const document = JSON.stringify(merge(await readDocuments()), null, 2);
  const collection = JSON.stringify(toCollection(JSON.parse(document)), null, 2);
  return {
    'gateway/openapi.json': `${document}\n`,
    'docs/guides/postman-collection.json': `${collection}\n`,
    'docs/guides/error-codes.md': errorPage,
  };
}
