import { claimPorts } from '../../src/supervisor/free-ports.ts';

/** Claims ports as often as the command line says, prints them and keeps them until it is killed. */
const claims = await Promise.all(Array.from({ length: Number(process.argv[2]) }, () => claimPorts(15)));
console.log(`claimed ${claims.flatMap(({ ports }) => ports).join(',')}`);
process.stdin.resume();
