export { cpuSecondsOfFamily, createProcesses, freePort, root, untilReachable } from '../harness/processes.ts';
