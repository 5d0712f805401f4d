import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRun } from './run.ts';
import { type Fault, fakeClock, mix } from './system/faults.ts';
import { processesOf } from './system/machine.ts';

/** `npm run faults`: injects every fault in each round, and as many mixes of faults. Exits with 1 if an invariant is violated. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    'fault-ms': { type: 'string', default: '3000' },
    'slow-ms': { type: 'string', default: 'Infinity' },
    /** A regular expression of the names of faults. */
    only: { type: 'string', default: '.' },
    mixes: { type: 'string' },
  },
});
const directory = await mkdtemp(join(tmpdir(), 'lms-faults-'));
console.log(`Logs: ${join(directory, 'logs')}`);
const run = await startRun(directory, {
  seed: Number(values.seed),
  faultMs: Number(values['fault-ms']),
  slowMs: Number(values['slow-ms']),
});
if (!fakeClock) console.log('NOT TRIED: faults of clocks, which need libfaketime (apt-get install libfaketime)');
if (!run.system.hasSmallDisks) console.log('NOT TRIED: faults that fill a disk, which need root and mount');
if (!run.workload.hasFilms) console.log('NOT TRIED: renditions, which need ffmpeg');
let trials = 0;
let failed = 0;

async function attempt(chosen: Fault[]) {
  const violations = await run.tryFaults(chosen);
  trials += 1;
  if (violations.length > 0) failed += 1;
  const names = chosen.map(({ name }) => name).join(', ') || 'no fault';
  console.log(`${new Date().toISOString()} ${names}: ${violations.length} violations`);
  for (const { invariant, text } of violations) console.log(`  VIOLATION ${invariant}: ${text}`);
}

const faults = run.faults.filter(({ name }) => new RegExp(values.only).test(name));
const rounds = Array.from({ length: Number(values.rounds) });
// Restores come last: after them, some checks cannot distinguish missing data from lost data.
const isRestore = ({ name }: Fault) => name.startsWith('restore ');
const others = faults.filter((fault) => !isRestore(fault));
await attempt([]);
for (const _ of rounds) {
  for (const fault of run.random.shuffle(others)) await attempt([fault]);
  for (let count = 0; count < Number(values.mixes ?? others.length); count += 1) await attempt(mix(others, run.random));
}
for await (const { name, isFound, violations } of run.detectPlanted()) {
  if (!isFound) failed += 1;
  // Some violate an invariant hundreds of times.
  const shown = violations.slice(0, 2).map(({ text }) => text.slice(0, 200));
  console.log(
    `${isFound ? 'found' : 'NOT FOUND'}: ${name}: ${[`${violations.length} violations`, ...shown].join('; ')}`,
  );
}
for (const _ of rounds) for (const fault of run.random.shuffle(faults.filter(isRestore))) await attempt([fault]);
await run.stop();
const leftOver = processesOf(directory);
for (const { pid, command } of leftOver) console.log(`VIOLATION processes: ${pid} ${command} is left over`);
const isClean = failed === 0 && leftOver.length === 0;
console.log(`Seed ${values.seed}, ${trials} trials, ${failed} failed`);
if (isClean) await rm(directory, { recursive: true });
process.exit(isClean ? 0 : 1);
