import { type SQL, sql } from 'drizzle-orm';
import { outbox } from './tables.ts';

/**
 * Holds for rows that no other can come in before any more. A transaction that is still running may yet commit a row with
 * a lower ordinal, but only if it has written to the outbox: whoever holds no lock on it has drawn no ordinal. So a long
 * migration, or a long transaction in another database of the same server, delays nothing.
 * Those that ended since the snapshot was taken may have written; they count as running until the next look.
 */
export const settled: SQL = sql`${outbox.xid} < (
  with locks as materialized (select * from pg_locks where granted)
  select coalesce(min(running), pg_snapshot_xmax(pg_current_snapshot()))
  from pg_snapshot_xip(pg_current_snapshot()) as running
  where not exists (
    select from locks as own
    where own.locktype = 'transactionid' and own.mode = 'ExclusiveLock' and own.transactionid = running::xid
    and not exists (
      select from locks as held
      where held.virtualtransaction = own.virtualtransaction and held.locktype = 'relation'
      and held.relation = 'outbox'::regclass
      and held.database = (select oid from pg_database where datname = current_database())
    )
  )
)`;
