import { collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { Sql } from 'postgres';

interface Load {
  inUse: number;
  waiting: number;
}

/** Tells how many of the pool's connections are in use, and how many queries wait for one. */
export function recordPoolMetrics(registry: Registry, sql: Sql, max: number) {
  collectGauge(registry, { name: 'database_pool_connections', help: 'Connections that the pool may open' }, () => max);
  collectGauge(
    registry,
    { name: 'database_pool_connections_in_use', help: 'Connections that are answering a query or hold a transaction' },
    () => loadOf(sql).inUse,
  );
  collectGauge(
    registry,
    { name: 'database_pool_waiting_queries', help: 'Queries that wait for a connection' },
    () => loadOf(sql).waiting,
  );
}

// Our patch of the driver adds it; its types do not know.
function loadOf(sql: Sql): Load {
  const load: unknown = Reflect.get(sql, 'load');
  return typeof load === 'function' ? load() : { inUse: 0, waiting: 0 };
}
