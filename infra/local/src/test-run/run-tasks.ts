import { stopping } from './run-command.ts';

export interface Counts {
  passed: number;
  failed: number;
}

export interface Task {
  name: string;
  run(): Promise<Counts>;
}

/** Runs the tasks in their order, so many at once, and adds up what they counted. */
export async function runTasks(tasks: Task[], atOnce: number): Promise<Counts & { seconds: Map<string, number> }> {
  const total = { passed: 0, failed: 0, seconds: new Map<string, number>() };
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
      total.passed += passed;
      total.failed += failed;
      total.seconds.set(name, seconds);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return total;
}
