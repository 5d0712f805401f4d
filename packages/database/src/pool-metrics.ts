import { collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { Sql } from 'postgres';

interface PoolLoad {
  inUse: number;
  waiting: number;
}

/** Registers metrics of a pool: its connections and the queries that wait for one. */
export function recordPoolMetrics(registry: Registry, sql: Sql, max: number) {
  collectGauge(
    registry,
    { name: 'database_pool_connections', help: 'Maximum number of connections in the pool' },
    () => max,
  );
  collectGauge(
    registry,
    { name: 'database_pool_connections_in_use', help: 'Connections that run a query or a transaction' },
    () => poolLoadOf(sql).inUse,
  );
  collectGauge(
    registry,
    { name: 'database_pool_waiting_queries', help: 'Queries that wait for a connection' },
    () => poolLoadOf(sql).waiting,
  );
}

// The patch in /patches adds `load` to the driver, but not to its types.
function poolLoadOf(sql: Sql): PoolLoad {
  const load: unknown = Reflect.get(sql, 'load');
  return typeof load === 'function' ? load() : { inUse: 0, waiting: 0 };
}
