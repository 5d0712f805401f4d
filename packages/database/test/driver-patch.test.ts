import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { default as patched, type TransactionSql } from 'postgres';
import t, { type Test } from 'tap';
import { openThings } from './things.ts';

const driver = dirname(dirname(fileURLToPath(import.meta.resolve('postgres'))));
const { version } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8'));
const patch = fileURLToPath(new URL(`../../../patches/postgres@${version}.patch`, import.meta.url));

/** The driver as it is published. */
async function importUnpatched(t: Test): Promise<typeof patched> {
  const copy = mkdtempSync(join(tmpdir(), 'postgres-'));
  t.teardown(() => rmSync(copy, { recursive: true }));
  cpSync(driver, copy, { recursive: true });
  execFileSync('git', ['apply', '--reverse', patch], { cwd: copy });
  const { default: unpatched } = await import(pathToFileURL(join(copy, 'src/index.js')).href);
  return unpatched;
}

/** Rolls back with the handle of a transaction that has ended, while another one runs on the same connection. */
async function rollBackLate(postgres: typeof patched, url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  let ended: TransactionSql | undefined;
  await sql.begin(async (tx) => {
    ended = tx;
  });
  let refusal: unknown;
  await sql.begin(async (tx) => {
    await tx`insert into things (id, name) values ('second', 'Second')`;
    await ended?.unsafe('rollback').catch((error: unknown) => {
      refusal = error;
    });
  });
  const names = await sql<{ name: string }[]>`select name from things order by name`;
  await sql.end();
  return { names: names.map(({ name }) => name), code: Object(refusal).code };
}

t.test('a late statement of a transaction that has ended is refused', async (t) => {
  const { url } = await openThings(t);
  t.same(await rollBackLate(patched, url), { names: ['First', 'Second'], code: 'TRANSACTION_ENDED' });
});

t.test('without the patch it would roll back the transaction of someone else', async (t) => {
  const { url } = await openThings(t);
  const { names } = await rollBackLate(await importUnpatched(t), url);
  t.same(names, ['First'], 'if this fails after an upgrade of postgres, the patch may have become unnecessary');
});

t.test('the CommonJS build, which is not patched, is never loaded', async (t) => {
  await import('../src/connect.ts');
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  t.same(
    loaded.filter((path) => /postgres\/cjs\//.test(path)),
    [],
  );
});
