import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { loadTap } from './load-tap.ts';

// Runs compiled test files one after the other in this process, which loads shared modules only once.
const files = process.argv.slice(2);
// tap derives the names of its temporary directories from the started file and its arguments.
process.argv.splice(1, Number.POSITIVE_INFINITY, ...files.slice(0, 1));
const t = await loadTap();
// Otherwise tap may end the whole run after any of the files.
t.removeAllListeners('idle');
for (const file of files) {
  await import(pathToFileURL(file).href);
  if (!t.idle) await once(t, 'idle');
}
t.end();
