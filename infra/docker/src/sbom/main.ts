import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSboms } from './write-sboms.ts';

/** `pnpm --filter docker sbom`: artifacts/sbom/<workspace>.cdx.json. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
for (const file of writeSboms(root, join(root, 'artifacts/sbom')).values()) console.log(file);
