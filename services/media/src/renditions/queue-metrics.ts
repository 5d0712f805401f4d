import type { Db } from '@lms/database/connect';
import { collectGauge, shareReading } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import { jobRepository, unfinished } from './job-repository.ts';

/** The queue of the workers. The service reports it, so that it is known while no worker runs. */
export function recordQueueMetrics(db: Db, registry: Registry) {
  const countJobs = shareReading(() => jobRepository(db).countJobs());
  const jobs = {
    name: 'media_processing_jobs',
    help: 'Videos whose processing is not finished, by status: none (no worker has seen them), queued, processing',
    labels: ['status'],
  };
  collectGauge(registry, jobs, async () => {
    const counted = await countJobs();
    return unfinished.map((status) => ({
      labels: { status },
      value: counted.find((one) => one.status === status)?.jobs ?? 0,
    }));
  });
  const wait = {
    name: 'media_processing_wait_seconds',
    help: 'How long the oldest queued video has waited for a worker',
  };
  collectGauge(registry, wait, async () => {
    const counted = await countJobs();
    return counted.find(({ status }) => status === 'queued')?.seconds ?? 0;
  });
}
