import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './embedded/start-embedded.ts';
import { ensureTestTools } from './test-run/ensure-test-tools.ts';
import { runChecks } from './test-run/run-checks.ts';
import { addCounts, type Counts, runFiles } from './test-run/run-files.ts';
import { startSystem } from './test-run/start-system.ts';

const rings = ['packages', 'services', 'infra', 'gateway/test'];
const blackBox = 'gateway/acceptance';

/**
 * `npm test`: what CI runs. Format, types, import rules and dead code; then the tests against real servers; then the
 * whole system, started as a user starts it and looked at from outside. With arguments: only those test files.
 */
async function main(chosen: string[]): Promise<Counts> {
  const directory = await mkdtemp(join(tmpdir(), 'lms-test-'));
  await ensureTestTools();
  const counts: Counts[] = [];
  const isBlackBox = (file: string) => file.includes(blackBox);
  const inner = chosen.length === 0 ? rings : chosen.filter((file) => !isBlackBox(file));
  const outer = chosen.length === 0 ? [blackBox] : chosen.filter(isBlackBox);
  try {
    if (chosen.length === 0) counts.push(await runChecks());
    if (inner.length > 0) counts.push(await runInner(inner, join(directory, 'postgres')));
    if (outer.length > 0) counts.push(await runOuter(outer, join(directory, 'system')));
  } finally {
    await keepLogs(directory);
    await rm(directory, { recursive: true, force: true });
  }
  return addCounts(counts);
}

async function runInner(files: string[], directory: string): Promise<Counts> {
  // Tests make and drop databases by the dozen; nothing of them has to survive a crash.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };
  const postgres = await startPostgres({ directory, settings });
  try {
    return await runFiles(files, { TEST_POSTGRES_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

async function runOuter(files: string[], directory: string): Promise<Counts> {
  const system = await startSystem(directory);
  try {
    const where = {
      ACCEPTANCE_GATEWAY_URL: system.gatewayUrl,
      ACCEPTANCE_IDP_URL: system.providerUrl,
      ACCEPTANCE_DATA_DIR: directory,
    };
    // One file after the other: they share a system, and one of them ends its processes.
    return await runFiles(files, where, 1);
  } finally {
    await system.stop();
  }
}

const keepLogs = (directory: string) =>
  cp(join(directory, 'system/logs'), 'artifacts/logs', { recursive: true }).catch(() => undefined);

try {
  const { passed, failed } = await main(process.argv.slice(2));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
} catch (error) {
  console.error(error);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
