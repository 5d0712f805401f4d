// Loaded into a process with --import: writes how long its event loop was blocked at most, in milliseconds, to
// EVENT_LOOP_DELAY_FILE. It counts the processor time of the main thread between two ticks of a timer: on a busy machine, the
// time that passes is mostly that of other processes.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.EVENT_LOOP_DELAY_FILE;
const processorMs = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

let longestMs = 0;
let before = processorMs();
setInterval(() => {
  const now = processorMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, 5).unref();

// What the process did until it was ready does not count.
process.on('SIGCONT', () => {
  longestMs = 0;
});
setInterval(() => {
  writeFileSync(`${file}.new`, String(longestMs));
  renameSync(`${file}.new`, file);
}, 250).unref();
