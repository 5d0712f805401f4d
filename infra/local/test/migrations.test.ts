import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { databases } from '../src/databases/provision.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Lets drizzle-kit compare the tables of a service with a folder of migrations, and generate what is missing. */
function generate(service: string, out: string): string[] {
  const cwd = join(root, 'services', service);
  // drizzle-kit treats every path as relative.
  const options = ['--dialect=postgresql', '--schema=./src/schema.ts', `--out=${relative(cwd, out)}`];
  const program = join(cwd, 'node_modules/.bin/drizzle-kit');
  execFileSync(program, ['generate', ...options, '--casing=snake_case'], { cwd, stdio: 'pipe' });
  return readdirSync(out).filter((name) => name.endsWith('.sql'));
}

t.test('the migrations of a service are complete', async (t) => {
  const directory = t.testdir();
  for (const name of databases) {
    const migrations = join(root, 'services', name, 'migrations');
    const copy = join(directory, name);
    cpSync(migrations, copy, { recursive: true });
    const before = readdirSync(migrations).filter((file) => file.endsWith('.sql'));
    t.same(generate(name, copy), before, name);
  }
});

t.test('drizzle-kit generates a migration if there is none', async (t) => {
  const out = join(t.testdir(), 'migrations');
  mkdirSync(out);
  const [file = ''] = generate('media', out);
  t.match(readFileSync(join(out, file), 'utf8'), 'CREATE TABLE "objects"');
});
