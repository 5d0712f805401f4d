import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The committed document, and what is made from it. */
export const documentFile = join(root, 'gateway/openapi.json');
export const collectionFile = join(root, 'docs/guides/postman-collection.json');
export const errorPageFile = join(root, 'docs/guides/error-codes.md');
