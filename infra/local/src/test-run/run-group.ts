import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

// Runs compiled test files one after the other in this process, which loads once what they share.
const files = process.argv.slice(2);
// tap names its temporary directories for the file that was started, and for its arguments.
process.argv.splice(1, Number.POSITIVE_INFINITY, ...files.slice(0, 1));
const { default: t } = await import('tap');
// Otherwise tap may end everything after any of them.
t.removeAllListeners('idle');
for (const file of files) {
  await import(pathToFileURL(file).href);
  if (!t.idle) await once(t, 'idle');
}
t.end();
