// `npm run settings`: writes the tables of settings into the READMEs, and .env.example from its template.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exampleSources, processes, renderExample, renderReadme } from './settings.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
for (const [folder, schema] of Object.entries(processes)) {
  const file = `${root}${folder}/README.md`;
  writeFileSync(file, renderReadme(readFileSync(file, 'utf8'), schema));
}
const template = readFileSync(`${root}infra/docker/env/template.env`, 'utf8');
writeFileSync(`${root}.env.example`, renderExample(template, exampleSources));
