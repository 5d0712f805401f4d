import { mountSmallDisks } from '../../src/system/machine.ts';

/** Mounts small file systems in the directory that the argument names, prints whether that was possible, and is killed. */
const { hasSmallDisks } = mountSmallDisks(process.argv[2] ?? '');
console.log(hasSmallDisks);
process.kill(process.pid, 'SIGKILL');
