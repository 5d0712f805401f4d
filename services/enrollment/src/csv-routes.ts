import { Readable } from 'node:stream';
import { limitConcurrency, onceSent } from '@lms/service/limit-concurrency';
import { Type } from '@sinclair/typebox';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Part of the OpenAPI description of every CSV file. */
export const csvRules =
  'The file is CSV (RFC 4180) in UTF-8 with a header row, from one consistent read. It contains all rows that match, without pages. Values that a spreadsheet would take for a formula, because they begin with `=`, `+`, `-`, `@`, a tab or a carriage return, are preceded by an apostrophe. The file has no entity tag. A client has five minutes to read it. While many files are being read, the response is 503 with `Retry-After`.';

export const CsvFile = { description: 'The file', content: { 'text/csv': { schema: Type.String() } } };

export type CsvRow = Record<string, string | number | null>;

interface CsvOptions {
  fileName: string;
  columns: readonly string[];
  /** Batches of rows. The first one is read before the response begins. */
  batches: AsyncGenerator<CsvRow[]>;
}

const format = { record_delimiter: 'windows', quote_record_delimiter: true, escape_formulas: true } as const;

/**
 * @param maxFiles the number of files that are sent at the same time: each needs a connection of the pool until its client has
 * read it, for which it has `maxMs`
 */
export function createCsvSender({ maxFiles, idleMs, maxMs }: { maxFiles: number; idleMs: number; maxMs: number }) {
  const begin = limitConcurrency({ max: maxFiles, maxWaitMs: 0 });

  /** Sends a file, batch by batch as the client reads it. */
  return async function sendCsv(request: FastifyRequest, reply: FastifyReply, options: CsvOptions) {
    const { fileName, columns, batches } = options;
    const send = (body: Readable) =>
      reply
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .type('text/csv; charset=utf-8')
        .send(body);
    if (request.method === 'HEAD') return send(Readable.from([]));
    const release = await begin(request.id);
    const end = () => {
      release();
      return batches.return(undefined);
    };
    const first = await batches.next().catch(async (error: unknown) => {
      await end();
      throw error;
    });
    const body = Readable.from(toCsv(columns, first, batches));
    onceSent(reply, end, maxMs);
    // Closes the connection, and with it the read, of a client that stops reading.
    reply.raw.setTimeout(idleMs);
    return send(body);
  };
}
export type SendCsv = ReturnType<typeof createCsvSender>;

async function* toCsv(
  columns: readonly string[],
  first: IteratorResult<CsvRow[], unknown>,
  rest: AsyncGenerator<CsvRow[]>,
) {
  const toLines = (rows: CsvRow[]) =>
    stringify(
      rows.map((row) => columns.map((column) => row[column])),
      format,
    );
  yield stringify([columns], format);
  if (!first.done) yield toLines(first.value);
  for await (const rows of rest) yield toLines(rows);
}
