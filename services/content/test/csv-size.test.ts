import { test } from 'tap';
import { readCurriculumCsv } from '../src/curriculum/read-csv.ts';
import { isIssue, type ReadEntry, type ReadItem } from '../src/curriculum/read-items.ts';

async function read(...parts: string[]) {
  async function* bytes() {
    for (const part of parts) yield Buffer.from(part);
  }
  const entries: ReadEntry[] = [];
  for await (const entry of readCurriculumCsv(bytes(), ',')) entries.push(entry);
  return { issues: entries.filter(isIssue), items: entries.filter((entry): entry is ReadItem => !isIssue(entry)) };
}

// Quadratic time would take longer than a test may.
test('the first unknown columns of very many are reported, and one that is given twice', async (t) => {
  const count = 300_000;
  const header = Array.from({ length: count }, (_, index) => `c${index}`).join(',');
  const { issues } = await read(`level,${header},c7\nA${','.repeat(count + 1)}\n`);
  t.equal(issues.length, 101);
  t.match(issues[0], { code: 'UNKNOWN_COLUMN', message: /^c0:/ });
  t.match(issues[100], { code: 'DUPLICATE_COLUMN', message: /^c7:/ });
});

test('an item whose name is far too long is refused without being kept', async (t) => {
  const [longest, tooLong] = ['😀'.repeat(200), 'x'.repeat(100_000)];
  const { issues, items } = await read(`level,grade\n${longest},\n${tooLong},G\n${longest},${tooLong}\n${tooLong},G\n`);
  t.match(
    items.map(({ fields }) => fields),
    [{ name: longest }],
  );
  t.equal(items.length, 1);
  t.match(issues, [
    { location: 'line 3', code: 'INVALID', message: /^name: .*200/ },
    { location: 'line 4', code: 'INVALID' },
    { location: 'line 5', code: 'INVALID' },
  ]);
});

test('the same name in another place is another item', async (t) => {
  const { issues, items } = await read('level,grade,subject\nA,A,A\nA,"1 A",A\n"1 A",A,\n');
  t.same(issues, []);
  t.same(
    items.map(({ kind, parent, fields: { name } }) => [kind, parent, name]),
    [
      ['level', null, 'A'],
      ['grade', 1, 'A'],
      ['subject', 2, 'A'],
      ['grade', 1, '1 A'],
      ['subject', 4, 'A'],
      ['level', null, '1 A'],
      ['grade', 6, 'A'],
    ],
  );
});

test('no listener is left for a part of a file that the parser was too full for', async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  const text = 'x'.repeat(5_000);
  const parts = Array.from({ length: 30 }, (_, part) =>
    Array.from({ length: 30 }, (_, row) => `${part}-${row},${text}\n`).join(''),
  );
  const { items } = await read('level,description\n', ...parts);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(items.length, 900);
  t.same(warnings, []);
});
