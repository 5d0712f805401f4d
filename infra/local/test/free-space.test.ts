import t from 'tap';
import { checkFreeSpace } from '../src/free-space.ts';

t.test('a start without enough disk space fails with one clear line', async (t) => {
  const directory = t.testdir();
  t.doesNotThrow(() => checkFreeSpace(directory, 1));
  t.throws(() => checkFreeSpace(directory, 1e12), {
    message: /^Not enough disk space: \d+ MiB are free in .+, 1000000000000 MiB are needed$/,
  });
});
