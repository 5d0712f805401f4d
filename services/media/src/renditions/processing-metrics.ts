import { createDurationHistogram } from '@lms/telemetry/durations';
import type { Registry } from '@lms/telemetry/registry';

const outcomes = ['ready', 'unsuitable', 'failed', 'retried', 'cancelled'] as const;
const bounds = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200];

/** The attempts of a worker to process videos. */
export function createProcessingMetrics(registry: Registry) {
  const options = {
    name: 'media_processing_duration_seconds',
    help: 'Attempts to process a video, by outcome: ready, unsuitable (the file cannot be processed), failed (the last attempt), retried, cancelled (the video was removed or replaced)',
    labels: ['outcome'],
  };
  const createSeries = createDurationHistogram(registry, options, bounds);
  const series = new Map(outcomes.map((outcome) => [outcome, createSeries({ outcome })]));
  return {
    ended: (outcome: (typeof outcomes)[number], startedAt: number) =>
      series.get(outcome)?.observe((performance.now() - startedAt) / 1_000),
  };
}
export type ProcessingMetrics = ReturnType<typeof createProcessingMetrics>;
