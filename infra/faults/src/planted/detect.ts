import { setTimeout as pause } from 'node:timers/promises';
import type { Violation } from '../invariants/check.ts';
import type { Run } from '../run.ts';
import { planted } from './violations.ts';

interface Detection {
  name: string;
  isFound: boolean;
  violations: Violation[];
}

const settleMs = 60_000;
/** How long a gateway may keep calls to itself after a slow command to Redis, which looks as if they were lost. */
const unsentMs = 10_000;
const maxAttempts = 3;

/** Plants a violation until exactly the expected invariant is violated, and removes it. */
async function detect(run: Run, [name, expected, plant]: (typeof planted)[number]): Promise<Detection> {
  const undo = await plant(run);
  const deadline = Date.now() + unsentMs;
  for (;;) {
    const violations = await run.findNew(0);
    const isFound = violations.length > 0 && violations.every(({ invariant }) => invariant === expected);
    if (isFound || Date.now() > deadline) {
      await undo();
      return { name, isFound, violations };
    }
    await pause(200);
  }
}

/** Plants each violation in turn. It is found if exactly the expected invariant is reported. */
export async function detectPlanted(run: Run): Promise<Detection[]> {
  await run.workload.pause();
  // What an interrupted upload has left is removed when its lease has ended, which changes what the checks compare.
  const withdrawn = () => run.system.sql('media')`select from objects where status in ('offered', 'removing') limit 1`;
  while ((await withdrawn()).length > 0) await pause(200);
  const before = await run.findViolations(settleMs);
  const detections: Detection[] = [{ name: 'nothing is violated', isFound: before.length === 0, violations: before }];
  for (const one of planted) {
    let detection = await detect(run, one);
    for (let attempt = 1; attempt < maxAttempts && !detection.isFound; attempt += 1) {
      // A request that failed because the machine is busy stays in the journal, and would be found again.
      await run.findViolations(0);
      detection = await detect(run, one);
    }
    detections.push(detection);
  }
  return detections;
}
