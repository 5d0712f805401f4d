import type { Processing } from './schemas.ts';
import type { VideoProcessing } from './table.ts';

export const toProcessing = (row: VideoProcessing | undefined): Processing => {
  if (!row || row.status === 'none') return { status: 'none', percent: 0 };
  const { status, percent, error, startedAt, finishedAt } = row;
  return {
    status,
    percent,
    ...(error !== null && { error }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
  };
};
