import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loads tap without its async hooks. They follow every promise to find the test of an uncaught error, and take a seventh
 * of the processor time of the tests. Here, such an error ends the process, and tap's output names the running test.
 */
export async function loadTap() {
  const { createHook } = hooks;
  const inactive = { enable: () => inactive, disable: () => inactive };
  setCreateHook(() => inactive);
  const { default: t } = await import('tap');
  setCreateHook(createHook);
  process.on('uncaughtException', (error) => {
    t.threw(error);
    process.exit(1);
  });
  return t;
}

function setCreateHook(createHook: typeof hooks.createHook): void {
  hooks.createHook = createHook;
  syncBuiltinESMExports();
}
