import { connect } from 'node:net';
import type { Check } from '@lms/service/admin-server';

const timeoutMs = 1_000;

/** Resolves when something accepts connections at a service's address. */
export const checkUpstream =
  (url: string): Check =>
  () => {
    const { hostname, port, protocol } = new URL(url);
    return new Promise<void>((resolve, reject) => {
      const socket = connect({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port || (protocol === 'https:' ? 443 : 80)),
        timeout: timeoutMs,
      });
      const fail = (error: Error) => {
        socket.destroy();
        reject(error);
      };
      socket.once('error', fail).once('timeout', () => fail(new Error('no answer in time')));
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
    });
  };

/** Resolves when at least one of the checks does. */
export const checkAny =
  (checks: Check[]): Check =>
  () =>
    Promise.any(checks.map((check) => check())).catch(() => {
      throw new Error('no service answers');
    });
