import type { Db } from '@lms/database/connect';
import { collectGauge, createCounter, shareReading } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import { uploadRepository } from './repository.ts';

const uploads = {
  name: 'media_resumable_uploads_total',
  help: 'Resumable uploads by what happened to them: created, resumed (a request for bytes after the first one), finished, failed, expired, terminated',
  labels: ['event'],
};

/** Without a registry, nothing is exposed. */
export function createResumableMetrics(registry: Registry | undefined) {
  const counter = registry && createCounter(registry, uploads);
  return {
    count: (event: 'created' | 'resumed' | 'finished' | 'failed' | 'expired' | 'terminated') => counter?.({ event }),
  };
}
export type ResumableMetrics = ReturnType<typeof createResumableMetrics>;

const unfinished = ['receiving', 'received'] as const;

/** What unfinished uploads wait for, and the storage that they take. All processes of media report the same. */
export function recordUnfinishedUploads(db: Db, registry: Registry) {
  const countUnfinished = shareReading(() => uploadRepository(db).countUnfinished());
  const open = {
    name: 'media_resumable_uploads_unfinished',
    help: 'Resumable uploads by status: receiving (bytes are missing), received (the file has to be attached)',
    labels: ['status'],
  };
  collectGauge(registry, open, async () => {
    const counted = await countUnfinished();
    return unfinished.map((status) => ({
      labels: { status },
      value: counted.find((one) => one.status === status)?.uploads ?? 0,
    }));
  });
  const wait = {
    name: 'media_resumable_uploads_wait_seconds',
    help: 'For how long the oldest upload that has all its bytes has not been attached',
  };
  collectGauge(registry, wait, async () => {
    const counted = await countUnfinished();
    return counted.find(({ status }) => status === 'received')?.seconds ?? 0;
  });
  const bytes = {
    name: 'media_resumable_uploads_stored_bytes',
    help: 'Size of the stored pieces by the status of their upload: receiving, received, ended (to be deleted)',
    labels: ['status'],
  };
  collectGauge(registry, bytes, async () => {
    const sizes = await uploadRepository(db).sumParts();
    const sumOf = (isCounted: (status: string) => boolean) =>
      sizes.reduce((sum, { status, size }) => sum + (isCounted(status) ? size : 0), 0);
    return [
      ...unfinished.map((status) => ({ labels: { status }, value: sumOf((other) => other === status) })),
      { labels: { status: 'ended' }, value: sumOf((other) => unfinished.every((status) => status !== other)) },
    ];
  });
}
