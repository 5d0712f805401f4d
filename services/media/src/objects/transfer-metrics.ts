import type { ServerResponse } from 'node:http';
import { collectCounter, collectGauge, createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';

/** Counts bytes on their way, and what the reaper finds. Told where there is a registry; counting itself costs next to nothing. */
export function createTransferMetrics(registry: Registry | undefined) {
  const running = { upload: 0, download: 0 };
  const bytes = { upload: 0, download: 0 };
  const samples = ({ upload, download }: typeof running) => [
    { labels: { direction: 'upload' }, value: upload },
    { labels: { direction: 'download' }, value: download },
  ];
  const labels = ['direction'];
  if (registry) {
    const transfers = { name: 'media_transfers_running', help: 'Uploads and downloads under way', labels };
    collectGauge(registry, transfers, () => samples(running));
    const moved = { name: 'media_transferred_bytes_total', help: 'Bytes of files taken in and given out', labels };
    collectCounter(registry, moved, () => samples(bytes));
  }
  const countReaped =
    registry &&
    createCounter(registry, {
      name: 'media_reaper_objects_total',
      help: 'What the reaper found, by the state it was left in: cleared, or postponed because that failed',
      labels: ['state', 'outcome'],
    });

  return {
    uploadStarted() {
      running.upload += 1;
    },
    uploadEnded() {
      running.upload -= 1;
    },
    bytesReceived(length: number) {
      bytes.upload += length;
    },
    /** Follows a download until its connection is done with it; its bytes are those of the socket, headers included. */
    downloadStarted(outgoing: ServerResponse) {
      const { socket } = outgoing;
      const before = socket?.bytesWritten ?? 0;
      running.download += 1;
      outgoing.once('close', () => {
        running.download -= 1;
        bytes.download += (socket?.bytesWritten ?? before) - before;
      });
    },
    objectReaped: (state: string, outcome: 'cleared' | 'postponed') => countReaped?.({ state, outcome }),
  };
}
export type TransferMetrics = ReturnType<typeof createTransferMetrics>;
