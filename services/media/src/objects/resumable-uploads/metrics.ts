import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';

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
