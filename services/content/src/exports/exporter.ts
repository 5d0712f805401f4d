import type { ServiceTokens } from '@lms/auth/service-tokens';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { statusOf } from '@lms/service/problems';
import type { ServiceClient } from '@lms/service/service-client';
import { startJob } from '@lms/service/start-job';
import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { Logger } from 'pino';
import { FileChanged } from './errors.ts';
import { type Export, exportRepository } from './repository.ts';
import { runExport } from './run-export.ts';

const intervalMs = 5_000;
const leaseSeconds = 30;
const renewalMs = 2_000;
const maxAttempts = 8;
const maxDelaySeconds = 60;
/** How long finished exports are listed. */
const retentionDays = 7;

export interface ExporterOptions {
  db: Db;
  media: Pick<ServiceClient, 'transfer'>;
  serviceTokens: ServiceTokens;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  registry?: Registry | undefined;
}

/** Runs the exports that wait, one at a time; several processes may do so. */
export function createExporter({ db, media, serviceTokens, logger, registry }: ExporterOptions) {
  const repository = exportRepository(db);
  const closing = new AbortController();
  const counter =
    registry &&
    createCounter(registry, {
      name: 'content_exports_total',
      help: 'Attempts to run an export, by format and outcome: completed, failed, or postponed',
      labels: ['format', 'outcome'],
    });

  async function runAll() {
    for (let job = await claim(); job; job = await claim()) await attempt(job);
    await repository.purge(retentionDays);
  }
  const claim = async () => (closing.signal.aborted ? undefined : repository.claim(leaseSeconds));

  async function attempt(job: Export) {
    const lost = new AbortController();
    let percent = 0;
    const renewal = setInterval(() => {
      repository.renew(job, percent, leaseSeconds).then(
        (isKept) => isKept || lost.abort(new Error('The export was taken over by another process')),
        // The lease is longer than several renewals.
        (err: unknown) => logger.warn({ err, exportId: job.id }, 'lease of an export not renewed'),
      );
    }, renewalMs);
    try {
      // The export may be what has ended the process in each attempt.
      if (job.attempts > maxAttempts) throw new Error('The process has ended in the last attempt');
      const result = await runExport(job, {
        db,
        media,
        createContext: () => serviceTokens.callContext(job.createdBy, createId()),
        onProgress: (value) => {
          percent = value;
        },
        signal: AbortSignal.any([closing.signal, lost.signal]),
      });
      await repository.complete(job, result);
      counter?.({ format: job.format, outcome: 'completed' });
      logger.info({ exportId: job.id, format: job.format, size: result.size }, 'export completed');
    } catch (err) {
      if (lost.signal.aborted) logger.warn({ exportId: job.id }, 'export taken over by another process');
      else await handleFailure(job, err);
    } finally {
      clearInterval(renewal);
    }
  }

  async function handleFailure(job: Export, err: unknown) {
    if (closing.signal.aborted) {
      await repository.release(job, 0, false);
      return;
    }
    const reason = reasonOf(err, job);
    counter?.({ format: job.format, outcome: reason === undefined ? 'postponed' : 'failed' });
    if (reason !== undefined) {
      logger.error({ err, exportId: job.id }, 'export failed');
      await repository.fail(job, reason);
      return;
    }
    const delaySeconds = err instanceof FileChanged ? 0 : Math.min(2 ** job.attempts, maxDelaySeconds);
    logger.warn({ err, exportId: job.id, delaySeconds }, 'export postponed');
    await repository.release(job, delaySeconds, !waitsForSlot(err));
    setTimeout(runNow, delaySeconds * 1_000).unref();
  }

  let running: ReturnType<typeof startJob> | undefined;
  const runNow = () => running?.runNow();
  return {
    start() {
      running = startJob({ name: 'run exports', intervalMs, run: runAll }, logger);
    },
    runNow,
    /** Another process, or this one after its restart, begins again with what was not completed. */
    async stop() {
      closing.abort(new Error('The service is shutting down'));
      await running?.stop();
    },
  };
}

// The administrator has as many uploads in progress as a user may have.
const waitsForSlot = (err: unknown) => statusOf(err) === 429;

/** What the client is shown if it makes no sense to try again; otherwise undefined. */
function reasonOf(err: unknown, { attempts, rootType }: Export): string | undefined {
  if (statusOf(err) === 413) return 'The export is larger than 4 GiB; export its parts';
  if (attempts < maxAttempts || waitsForSlot(err)) return undefined;
  if (err instanceof FileChanged) return `The file ${err.message} does not exist any more; remove or upload it`;
  if (statusOf(err) === 404) return `The ${rootType} to export does not exist any more`;
  return 'The export could not be completed; try again later';
}
