// Loaded into a process with --import: when the process exits, it writes how long its event loop was blocked at most since
// the last SIGCONT, in milliseconds, to EVENT_LOOP_DELAY_FILE. It counts the processor time of the main thread between two
// ticks of a timer: on a busy machine, the time that passes is mostly that of other processes.
import { readFileSync, writeFileSync } from 'node:fs';

const processorMs = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

let longestMs = 0;
let before = processorMs();
setInterval(() => {
  const now = processorMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, 5).unref();
process.on('SIGCONT', () => {
  longestMs = 0;
});
process.on('exit', () => writeFileSync(process.env.EVENT_LOOP_DELAY_FILE, String(longestMs)));
