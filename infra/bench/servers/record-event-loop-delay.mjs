// Loaded into a process with --import: from SIGCONT on, writes to EVENT_LOOP_DELAY_FILE how long its event loop was blocked at
// most, in milliseconds. It counts the processor time of the main thread between two ticks of a timer: on a busy machine, the
// time that passes is mostly that of other processes.
import { readFileSync, writeFileSync } from 'node:fs';

const processorMs = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

process.once('SIGCONT', () => {
  let longestMs = 0;
  let before = processorMs();
  setInterval(() => {
    const now = processorMs();
    if (now - before > longestMs) {
      longestMs = now - before;
      writeFileSync(process.env.EVENT_LOOP_DELAY_FILE, String(longestMs));
    }
    before = now;
  }, 5).unref();
});
