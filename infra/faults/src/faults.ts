import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom, type Fault, mix, shuffle } from './faults/fault.ts';
import { missingForClocks } from './faults/processes.ts';
import { invariants, type Violation } from './invariants/check.ts';
import { detectPlanted } from './planted/detect.ts';
import { type Run, startRun } from './run.ts';
import { processesOf } from './system/process-tree.ts';

/** `npm run faults`: injects every fault in each round, and as many mixes of faults. Exits with 1 if an invariant is violated. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    'fault-ms': { type: 'string', default: '3000' },
    'settle-ms': { type: 'string', default: '10000' },
    /** A regular expression of the names of faults. */
    only: { type: 'string', default: '.' },
    mixes: { type: 'string' },
  },
});
const directory = await mkdtemp(join(tmpdir(), 'lms-faults-'));
let started: Run | undefined;
// A stack that is still starting is ended by its watchdog.
const stopNow = () => void (started?.system.stop() ?? Promise.resolve()).finally(() => process.exit(130));
process.once('SIGINT', stopNow);
process.once('SIGTERM', stopNow);
const run = await startRun({
  directory,
  breathMs: 200,
  faultMs: Number(values['fault-ms']),
  settleMs: Number(values['settle-ms']),
});
started = run;
const isClean = await main(run).finally(() => run.stop());
const leftOver = processesOf(directory);
for (const { pid, command } of leftOver) console.log(`VIOLATION processes: ${pid} ${command} is left over`);
if (isClean && leftOver.length === 0) await rm(directory, { recursive: true });
else console.log(`Logs: ${join(directory, 'logs')}`);
process.exit(isClean && leftOver.length === 0 ? 0 : 1);

async function main({ system, tryFaults, workload, faults: all }: Run): Promise<boolean> {
  const random = createRandom(Number(values.seed));
  const faults = all.filter(({ name }) => new RegExp(values.only).test(name));
  for (const missing of missingForClocks) console.log(`NOT TRIED: faults that need ${missing}`);
  if (!system.hasSmallDisks) console.log('NOT TRIED: faults that fill a disk, which need root and mount');
  if (!workload.hasFilms) console.log('NOT TRIED: renditions, which need ffmpeg');
  const trials: { row: string; violations: Violation[] }[] = [];
  const attempt = async (row: string, chosen: Fault[]) => {
    const names = chosen.map(({ name }) => name).join(', ') || 'no fault';
    const violations = await tryFaults(chosen, random);
    trials.push({ row, violations });
    console.log(`${new Date().toISOString()} ${names}: ${violations.length} violations`);
    for (const { invariant, text } of violations) console.log(`  VIOLATION ${invariant}: ${text}`);
  };
  const rounds = Array.from({ length: Number(values.rounds) });
  // Restores come last: after them, some checks cannot distinguish missing data from lost data.
  const isRestore = ({ name }: Fault) => name.startsWith('restore ');
  const others = faults.filter((fault) => !isRestore(fault));
  await attempt('none', []);
  for (const _ of rounds) {
    for (const fault of shuffle(others, random)) await attempt(fault.name, [fault]);
    for (let count = 0; count < Number(values.mixes ?? others.length); count += 1)
      await attempt('mix of two or three', mix(others, random));
  }
  const detections = await detectPlanted(run);
  for (const _ of rounds)
    for (const fault of shuffle(faults.filter(isRestore), random)) await attempt(fault.name, [fault]);
  for (const { name, isFound, violations } of detections)
    console.log(`${isFound ? 'found' : 'NOT FOUND'}: ${name}: ${violations.map(({ text }) => text).join('; ')}`);
  console.log(`\n${toTable(trials)}\n\n${workload.journal.entries.length} requests, seed ${values.seed}`);
  return trials.every(({ violations }) => violations.length === 0) && detections.every(({ isFound }) => isFound);
}

/** A Markdown table of the trials of each row in which each invariant was violated. */
function toTable(trials: { row: string; violations: Violation[] }[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rows = [...new Set(trials.map(({ row }) => row))].map((name) => {
    const own = trials.filter(({ row }) => row === name);
    const violated = invariants.map(
      (invariant) => own.filter(({ violations }) => violations.some((one) => one.invariant === invariant)).length,
    );
    return line([name, own.length, ...violated]);
  });
  const columns = ['trials', ...invariants];
  return [line(['fault', ...columns]), line(['---', ...columns.map(() => '--:')]), ...rows].join('\n');
}
