// Loaded into a process with --import: writes its longest event-loop delay in milliseconds to EVENT_LOOP_DELAY_FILE.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
// What the process did until it was ready does not count.
process.on('SIGCONT', () => delay.reset());
setInterval(() => writeFileSync(process.env.EVENT_LOOP_DELAY_FILE, String(delay.max / 1e6)), 250).unref();
