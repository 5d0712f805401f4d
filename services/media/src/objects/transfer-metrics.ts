import type { ServerResponse } from 'node:http';
import { collectCounter, collectGauge, createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';

/** Counts transferred bytes and objects handled by the reaper. Without a registry, nothing is exposed. */
export function createTransferMetrics(registry: Registry | undefined) {
  const running = { upload: 0, download: 0 };
  const bytes = { upload: 0, download: 0 };
  const samples = ({ upload, download }: typeof running) => [
    { labels: { direction: 'upload' }, value: upload },
    { labels: { direction: 'download' }, value: download },
  ];
  const labels = ['direction'];
  if (registry) {
    const transfers = { name: 'media_transfers_running', help: 'Uploads and downloads in progress', labels };
    collectGauge(registry, transfers, () => samples(running));
    const transferred = { name: 'media_transferred_bytes_total', help: 'Bytes received and sent', labels };
    collectCounter(registry, transferred, () => samples(bytes));
  }
  const reaperCounter =
    registry &&
    createCounter(registry, {
      name: 'media_reaper_objects_total',
      help: 'Objects handled by the reaper, by the status in which it found them and the outcome: cleared, or postponed after a failure',
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
    /** Counts the bytes that the socket sends until the response closes, headers included. */
    downloadStarted(outgoing: ServerResponse) {
      const { socket } = outgoing;
      const before = socket?.bytesWritten ?? 0;
      running.download += 1;
      outgoing.once('close', () => {
        running.download -= 1;
        bytes.download += (socket?.bytesWritten ?? before) - before;
      });
    },
    objectReaped: (state: string, outcome: 'cleared' | 'postponed') => reaperCounter?.({ state, outcome }),
  };
}
export type TransferMetrics = ReturnType<typeof createTransferMetrics>;
