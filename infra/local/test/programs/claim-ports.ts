import { claimPorts } from '../../src/supervisor/free-ports.ts';

/** Claims as many blocks of ports as the argument says, prints them, and holds them until it is killed. */
const claims = await Promise.all(Array.from({ length: Number(process.argv[2]) }, () => claimPorts(15)));
console.log(`claimed ${claims.flatMap(({ ports }) => ports).join(',')}`);
process.stdin.resume();
