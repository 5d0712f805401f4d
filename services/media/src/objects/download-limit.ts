import type { ServerResponse } from 'node:http';
import { defineProblem } from '@lms/service/problems';

const retryAfterSeconds = 5;

const TooManyDownloads = defineProblem('RATE_LIMITED', 429, 'You have too many downloads in progress');

/**
 * Limits the concurrent downloads of each user. A gateway opens at most 1,024 connections to this service, and a download
 * holds one for as long as its client reads: without a limit, one user who reads slowly could hold all of them.
 */
export function createDownloadLimit(maxPerUser: number) {
  const running = new Map<string, number>();

  function add(userId: string, by: 1 | -1) {
    const count = (running.get(userId) ?? 0) + by;
    if (count > 0) running.set(userId, count);
    else running.delete(userId);
  }

  return {
    /** Counts a download until its response is closed. @throws 429 */
    start(userId: string, response: ServerResponse) {
      if ((running.get(userId) ?? 0) >= maxPerUser) throw tooManyDownloads(maxPerUser);
      if (response.destroyed) return;
      add(userId, 1);
      response.once('close', () => add(userId, -1));
    },
  };
}

function tooManyDownloads(limit: number) {
  const resetAt = new Date(Date.now() + retryAfterSeconds * 1_000).toISOString();
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new TooManyDownloads({ details: { scope: 'general', limit, resetAt }, headers });
}
