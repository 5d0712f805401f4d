import t from 'tap';
import type { ReadItem } from '../src/curriculum/read-items.ts';
import { collectIssues } from '../src/imports/collect-issues.ts';
import { importItems } from '../src/imports/items-repository.ts';
import { readFile } from '../src/imports/read-file.ts';
import { startImports } from './import-service.ts';

const { database, runJson } = await startImports(t);

t.test('batches of items are limited by what is said of them and by what they are created with', async (t) => {
  const { id } = await runJson([{ name: 'A', description: 'x' }]);
  const [small, large] = [{ name: 'A' }, { content: 'x'.repeat(200_000) }];
  for (const [fields, defaults] of [
    [{ ...small, ...large }, {}],
    [small, large],
  ]) {
    async function* entries(): AsyncGenerator<ReadItem> {
      for (let number = 1; number <= 4; number += 1)
        yield {
          ...{ kind: 'subject', number, parent: null, location: 'x', listsChildren: false },
          ...{ fields: fields ?? {}, defaults: defaults ?? {} },
        };
    }
    let batches = 0;
    const onBatch = async () => (batches += 1);
    await readFile(database.db, id, { archive: undefined, entries }, collectIssues(), onBatch);
    t.equal(batches, 3, 'two of two items, and the empty rest');
    const batch = await importItems(database.db, id).listBatch('subject', 0);
    t.equal(batch.length, 1);
  }
});
