import type { IncomingMessage } from 'node:http';
import { UploadTooSlow } from './errors.ts';

// Even the slowest mobile networks are several times faster.
const minBytesPerSecond = 1_024;
const samplesPerWindow = 30;
const drainTimeoutMs = 5_000;

/** Aborts `signal` when the client disconnects, or averages less than `minBytesPerSecond` over a window. */
export function watchSender(raw: IncomingMessage, windowMs: number) {
  const controller = new AbortController();
  const { socket } = raw;
  let bytesBefore = socket.bytesRead;
  let samples = 0;
  const timer = setInterval(() => {
    // While slow storage makes the server leave bytes unread, the client is not to blame.
    if (raw.complete || (raw.isPaused() && raw.readableLength > 0)) return;
    samples += 1;
    if (samples < samplesPerWindow) return;
    if (socket.bytesRead - bytesBefore < (minBytesPerSecond * windowMs) / 1_000) controller.abort(new UploadTooSlow());
    bytesBefore = socket.bytesRead;
    samples = 0;
  }, windowMs / samplesPerWindow);
  const unwatch = () => clearInterval(timer);
  raw.once('end', unwatch);
  raw.once('close', () => {
    if (!raw.complete) controller.abort();
  });
  return { signal: controller.signal, unwatch };
}

/** Reads and drops the rest of a rejected body for a moment, so that the client sees the response instead of a reset. */
export function drainRequest(raw: IncomingMessage) {
  if (raw.complete) return;
  raw.unpipe();
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), drainTimeoutMs).unref();
  raw.once('close', () => clearTimeout(timer));
}
