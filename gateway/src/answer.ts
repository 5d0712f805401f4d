import { failureOf, isProblem } from '@lms/server/error-handler';
import { InternalError } from '@lms/server/problems';
import type { Logger } from 'pino';
import type { Exchange } from './exchange.ts';

/** Sends an answer of the gateway's own. */
export function sendJson({ outgoing, headers }: Exchange, status: number, body: unknown, more: string[] = []) {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, [
    ...headers,
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(text)),
    ...more,
  ]);
  outgoing.end(text);
}

/** Every failure leaves in the same envelope; what a 5xx was about stays in the log. */
export function sendFailure(exchange: Exchange, error: unknown, logger: Logger) {
  const { outgoing, requestId } = exchange;
  if (outgoing.destroyed) return;
  const problem = isProblem(error) ? error : new InternalError({ cause: error });
  const status = problem.statusCode ?? 500;
  if (status >= 500) logger.error({ requestId, err: problem }, problem.message);
  // An answer that broke off in the middle must not look whole.
  if (outgoing.headersSent) return void outgoing.destroy();
  const more = Object.entries(problem.headers ?? {}).flat();
  if (status === 401) more.push('www-authenticate', 'Bearer');
  sendJson(exchange, status, failureOf(problem, requestId), more);
}
