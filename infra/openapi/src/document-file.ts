import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The committed document. */
export const documentFile = join(root, 'gateway/openapi.json');
export const entryOf = (service: string) => join(root, 'services', service, 'dist/main.js');
