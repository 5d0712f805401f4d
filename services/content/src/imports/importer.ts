import { startJob } from '@lms/service/start-job';
import { collectGauge, createCounter } from '@lms/telemetry/metrics';
import type { ImportDeps } from './deps.ts';
import { imports } from './repository.ts';
import { runImport } from './run-import.ts';
import type { Import } from './table.ts';

const intervalMs = 5_000;
const keptDays = 90;
const dayMs = 86_400_000;

/**
 * Runs imports, one at a time in each process, beside one dry run; this bounds its memory. An import of a process that died is
 * continued.
 */
export function createImporter(deps: ImportDeps) {
  const { db } = deps.database;
  let running = 0;
  const closing = new AbortController();
  let job: ReturnType<typeof startJob> | undefined;
  const count =
    deps.registry &&
    createCounter(deps.registry, {
      name: 'content_imports_total',
      help: 'Imports that have ended, by status',
      labels: ['status'],
    });
  if (deps.registry)
    collectGauge(
      deps.registry,
      { name: 'content_imports_running', help: 'Imports that this process is running', labels: [] },
      () => [{ labels: {}, value: running }],
    );

  async function run(claimed: Import): Promise<Import | undefined> {
    running += 1;
    try {
      const ended = await runImport(deps, claimed, closing.signal);
      if (ended) count?.({ status: ended.status });
      return ended;
    } finally {
      running -= 1;
    }
  }

  async function runAll() {
    await imports(db).deleteEndedBefore(new Date(Date.now() - keptDays * dayMs));
    while (!closing.signal.aborted) {
      const claimed = await imports(db).claim();
      if (!claimed) return;
      await run(claimed);
    }
  }

  return {
    start() {
      job = startJob({ name: 'imports', intervalMs, run: runAll }, deps.logger);
    },
    /** Looks for imports now instead of after the interval. */
    runNow: () => job?.runNow(),
    /** Runs a dry run within its request. */
    run,
    /** Interrupts the current import, which another process continues. */
    async stop() {
      closing.abort();
      await job?.stop();
    },
  };
}
export type Importer = ReturnType<typeof createImporter>;
