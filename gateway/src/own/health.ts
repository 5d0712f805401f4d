import { type Check, readiness } from '@lms/service/admin-server';
import { sendJson } from '../answer.ts';
import type { Exchange } from '../exchange.ts';

export const answerHealth = (exchange: Exchange) => sendJson(exchange, 200, { status: 'alive' });

/** Ready means worth sending requests to: one of the services answers. What else is out is told, and does not count. */
export const answerReadiness =
  (essential: Record<string, Check>, welcome: Record<string, Check>) => async (exchange: Exchange) => {
    const [must, may] = await Promise.all([readiness(essential), readiness(welcome)]);
    const status = !must.ready ? 'unready' : may.ready ? 'ready' : 'degraded';
    const outcomes = Object.entries({ ...must.checks, ...may.checks });
    // The reasons name addresses, which are for the private port and the log.
    const checks = Object.fromEntries(
      outcomes.map(([name, outcome]) => [name, outcome === 'ok' ? 'ok' : 'unavailable']),
    );
    sendJson(exchange, must.ready ? 200 : 503, { status, checks });
  };
