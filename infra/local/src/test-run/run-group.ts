import hooks from 'node:async_hooks';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

// Runs compiled test files one after the other in this process, which loads shared modules only once.
const files = process.argv.slice(2);
// tap derives the names of its temporary directories from the started file and its arguments.
process.argv.splice(1, Number.POSITIVE_INFINITY, ...files.slice(0, 1));

// Loads tap without its async hooks. They follow every promise to find the test of an uncaught error, and take a seventh of the
// processor time of the tests. Here, such an error ends the process, and tap's output names the running test.
const { createHook } = hooks;
const inactive = { enable: () => inactive, disable: () => inactive };
hooks.createHook = () => inactive;
syncBuiltinESMExports();
const { default: t } = await import('tap');
hooks.createHook = createHook;
syncBuiltinESMExports();
process.on('uncaughtException', (error) => {
  t.threw(error);
  process.exit(1);
});

// Otherwise tap may end the whole run after any of the files.
t.removeAllListeners('idle');
for (const file of files) {
  // A file may let its own tests run at the same time; others share a session or replace the clock.
  t.jobs = 1;
  await import(pathToFileURL(file).href);
  if (!t.idle) await once(t, 'idle');
}
t.end();
