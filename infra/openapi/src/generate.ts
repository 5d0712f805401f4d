import { join } from 'node:path';
import { describeGateway } from './describe-gateway.ts';
import { merge } from './merge.ts';
import { readServiceDocuments } from './service-documents.ts';

const root = join(import.meta.dirname, '../../..');

/** The committed document, and what is made from it. */
export const documentFile = join(root, 'gateway/openapi.json');
export const collectionFile = join(root, 'docs/guides/postman-collection.json');
export const errorPageFile = join(root, 'docs/guides/error-codes.md');

const services = ['identity', 'content', 'media', 'enrollment'] as const;

/** The OpenAPI document of the whole API as text, merged from the documents of the services and the gateway's own routes. */
export async function generate(): Promise<string> {
  const documents = await readServiceDocuments(services);
  return `${JSON.stringify(merge([...documents, describeGateway()]), null, 2)}\n`;
}
