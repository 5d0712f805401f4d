import { databases } from 'local/databases';
import { processesOf, treeOf } from '../system/process-tree.ts';
import type { Check } from './evidence.ts';

const maxTransactionSeconds = 30;

/** There are no other processes than the supervised ones and their children, and no forgotten transactions. */
export const checkProcesses: Check = async ({ system }) => {
  // Listed before and after, because PostgreSQL starts and ends processes all the time.
  const before = processesOf(system.directory);
  const roots = [...system.parts.values()].map((part) => part.pid());
  const expected = new Set(
    [...roots, system.watchdogPid() ?? null].flatMap((pid) => (pid === null ? [] : treeOf(pid))),
  );
  const after = new Set(processesOf(system.directory).map(({ pid }) => pid));
  const leaked = before.filter(({ pid }) => !expected.has(pid) && after.has(pid));
  const texts = leaked.map(({ pid, command }) => `${pid} ${command}`);
  for (const name of databases) {
    const open = await system.sql(name)`select pid, query from pg_stat_activity
      where datname = ${name} and state like 'idle in transaction%'
        and now() - state_change > make_interval(secs => ${maxTransactionSeconds})`;
    for (const { pid, query } of open) texts.push(`connection ${pid} has an open transaction: ${query}`);
  }
  return texts;
};
