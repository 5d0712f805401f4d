import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import t from 'tap';
import { exampleSources, processes, renderExample, renderReadme } from '../src/settings.ts';
import { root } from './compose-file.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

t.test('the READMEs and .env.example match the schemas', async (t) => {
  for (const [folder, schema] of Object.entries(processes)) {
    const text = read(`${folder}/README.md`);
    t.equal(renderReadme(text, schema), text, `${folder}/README.md; run npm run settings`);
  }
  const template = read('infra/docker/env/template.env');
  t.equal(renderExample(template, exampleSources), read('.env.example'), 'run npm run settings');
});

t.test('every setting of a process has a description', async (t) => {
  for (const [folder, { properties }] of Object.entries(processes))
    for (const [name, { description }] of Object.entries(properties)) t.ok(description, `${folder}: ${name}`);
});

t.test('the table of a README lists the settings, and the next rendering replaces it', async (t) => {
  const schema = Type.Object({
    PORT: Type.Integer({ default: 80, description: 'Port' }),
    URL: Type.String({ description: 'Address' }),
    EXTRA: Type.Optional(Type.String({ description: 'More' })),
  });
  const empty = '# Title\n\n<!-- settings: written by npm run settings -->\n<!-- /settings -->\n\nText\n';
  const once = renderReadme(empty, schema);
  t.match(once, /\| `PORT` \| `80` \| Port \|\n\| `URL` \| required \| Address \|\n\| `EXTRA` \| {2}\| More \|/);
  t.match(once, /^# Title\n[\s\S]*\nText\n$/, 'the rest of the README is kept');
  t.equal(renderReadme(once, schema), once);
  t.notMatch(renderReadme(once, Type.Object({ PORT: schema.properties.PORT })), 'EXTRA');
  t.throws(() => renderReadme('# Title\n', schema), /no place for the settings/);
});

t.test('a template line becomes a default or a commented example, and an unknown name is an error', async (t) => {
  const schema = Type.Object({
    PORT: Type.Integer({ default: 80, description: 'Port' }),
    URL: Type.String({ description: 'Address' }),
  });
  t.equal(
    renderExample('{{PORT}}\n{{URL}} https://x.example\n', [schema]),
    '# Port.\nPORT=80\n# Address.\n# URL=https://x.example\n',
  );
  t.throws(() => renderExample('{{NONE}}', [schema]), /NONE/);
});
