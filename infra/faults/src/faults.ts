import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Run, startRun } from './run.ts';
import { type Fault, fakeClock, mix } from './system/faults.ts';
import { processesOf } from './system/machine.ts';

/** `npm run faults`: injects every fault in each round, and as many mixes of faults. Exits with 1 if an invariant is violated. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    'fault-ms': { type: 'string', default: '3000' },
    'settle-ms': { type: 'string', default: '10000' },
    'slow-ms': { type: 'string', default: 'Infinity' },
    /** A regular expression of the names of faults. */
    only: { type: 'string', default: '.' },
    mixes: { type: 'string' },
  },
});
const directory = await mkdtemp(join(tmpdir(), 'lms-faults-'));
// The watchdog of the system then stops its processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const run = await startRun(directory, {
  seed: Number(values.seed),
  faultMs: Number(values['fault-ms']),
  settleMs: Number(values['settle-ms']),
  slowMs: Number(values['slow-ms']),
});
const isClean = await main(run).finally(run.stop);
const leftOver = processesOf(directory);
for (const { pid, command } of leftOver) console.log(`VIOLATION processes: ${pid} ${command} is left over`);
if (isClean && leftOver.length === 0) await rm(directory, { recursive: true });
else console.log(`Logs: ${join(directory, 'logs')}`);
process.exit(isClean && leftOver.length === 0 ? 0 : 1);

async function main(run: Run): Promise<boolean> {
  const { system, tryFaults, workload, random } = run;
  const faults = run.faults.filter(({ name }) => new RegExp(values.only).test(name));
  if (!fakeClock) console.log('NOT TRIED: faults of clocks, which need libfaketime (apt-get install libfaketime)');
  if (!system.hasSmallDisks) console.log('NOT TRIED: faults that fill a disk, which need root and mount');
  if (!workload.hasFilms) console.log('NOT TRIED: renditions, which need ffmpeg');
  /** The trials of each kind of fault, and those in which each invariant was violated. */
  const table: Record<string, Record<string, number>> = {};
  let violated = 0;

  async function attempt(kind: string, chosen: Fault[]) {
    const violations = await tryFaults(chosen);
    violated += violations.length;
    table[kind] ??= {};
    const row = table[kind];
    for (const column of new Set(['trials', ...violations.map(({ invariant }) => invariant)]))
      row[column] = (row[column] ?? 0) + 1;
    const names = chosen.map(({ name }) => name).join(', ') || 'no fault';
    console.log(`${new Date().toISOString()} ${names}: ${violations.length} violations`);
    for (const { invariant, text } of violations) console.log(`  VIOLATION ${invariant}: ${text}`);
  }

  const rounds = Array.from({ length: Number(values.rounds) });
  // Restores come last: after them, some checks cannot distinguish missing data from lost data.
  const isRestore = ({ name }: Fault) => name.startsWith('restore ');
  const others = faults.filter((fault) => !isRestore(fault));
  await attempt('none', []);
  for (const _ of rounds) {
    for (const fault of random.shuffle(others)) await attempt(fault.name, [fault]);
    for (let count = 0; count < Number(values.mixes ?? others.length); count += 1)
      await attempt('mix of two or three', mix(others, random));
  }
  for await (const { name, isFound, violations } of run.detectPlanted()) {
    if (!isFound) violated += 1;
    console.log(`${isFound ? 'found' : 'NOT FOUND'}: ${name}: ${violations.map(({ text }) => text).join('; ')}`);
  }
  for (const _ of rounds)
    for (const fault of random.shuffle(faults.filter(isRestore))) await attempt(fault.name, [fault]);
  console.log(`Seed ${values.seed}`);
  console.table(table);
  return violated === 0;
}
