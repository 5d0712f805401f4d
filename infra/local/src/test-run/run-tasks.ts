import { stopping } from './run-command.ts';

export interface Counts {
  passed: number;
  failed: number;
}

export interface Task {
  name: string;
  run(): Promise<Counts>;
}

export interface Outcome extends Counts {
  name: string;
  seconds: number;
}

/** Starts the tasks in their order, with limited concurrency. */
export async function runTasks(tasks: Task[], concurrency: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = tasks.values();
  const work = async () => {
    for (const { name, run } of queue) {
      if (stopping.aborted) return;
      const startedAt = performance.now();
      const { passed, failed } = await run().catch((error: unknown) => {
        console.error(error);
        return { passed: 0, failed: 1 };
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      console.log(`${failed === 0 ? 'ok' : 'not ok'} - ${name} (${passed} passed, ${seconds.toFixed(1)} s)`);
      outcomes.push({ name, passed, failed, seconds });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}

export const addCounts = (counts: Counts[]): Counts =>
  counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
