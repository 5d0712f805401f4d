import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { startRun } from '../src/run.ts';
import { processesOf } from '../src/system/machine.ts';

const makeDirectory = () => mkdtemp(join(tmpdir(), 'lms-faults-'));

t.test('a short round of the fault injection runner', async (t) => {
  const directory = await makeDirectory();
  // The machine may be busy, so violations count only after a long time, and errors only if requests are not slow.
  const limits = { settleMs: 60_000, slowMs: 1_500 };
  // Proxies before all processes would take a fifth of the processor time.
  const run = await startRun(directory, { breathMs: 1_000, faultMs: 500, proxied: ['identity'], ...limits });
  try {
    const named = (...names: string[]) => run.faults.filter(({ name }) => names.includes(name));

    for (const chosen of [
      named('kill enrollment', 'kill nats'),
      named('freeze content', 'flush Redis'),
      named('roll back NATS', 'reset connections of identity', 'break storage'),
    ]) {
      const names = chosen.map(({ name }) => name).join(', ');
      t.strictSame(await run.tryFaults(chosen), [], `no invariant is violated after: ${names}`);
    }
    for await (const { name, isFound, violations } of run.detectPlanted())
      t.ok(isFound, `the checks report that ${name}`, { violations });
  } finally {
    await run.stop();
  }
  t.strictSame(processesOf(directory), [], 'no process is left over');
  await rm(directory, { recursive: true });
});

t.test('the file systems of a killed run are removed', async (t) => {
  const directory = await makeDirectory();
  const program = fileURLToPath(new URL('./programs/mount-disks.js', import.meta.url));
  const { stdout, signal } = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
  t.equal(signal, 'SIGKILL');
  t.match(stdout, /^(true|false)\n$/);
  const hasMounts = async () => (await readFile('/proc/self/mounts', 'utf8')).includes(directory);
  t.ok(await waitFor(async () => !(await hasMounts())), 'nothing is mounted');
  await rm(directory, { recursive: true });
});
