// Compares a service at two numbers of rows: the same reads, one after the other, in turns.
import { performance } from 'node:perf_hooks';
import { connect, type Database } from '@lms/database/connect';
import { createServiceClient, type ServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import type { Sql } from 'postgres';
import { Agent, request } from 'undici';
import { printTable } from './report.ts';
import { inTurns, quantile } from './rounds.ts';
import { runBench } from './run-bench.ts';

interface System {
  url: string;
  /** The number of rows. */
  size: number;
  database: Database;
}

export interface Read {
  name: string;
  /** The highest allowed ratio of the p50, if it has a target. */
  maxRatio?: number;
  /** Prepares the n-th read; what it returns is timed. */
  prepare: (turn: number) => () => Promise<unknown>;
}

interface Growth {
  service: 'identity' | 'content' | 'enrollment';
  /** The number of rows of the larger system; the smaller one has 10,000. */
  size: number;
  /** How often each read is repeated. */
  times: number;
  seed: (sql: Sql, size: number) => Promise<void>;
  /** Creates the application. It reaches no other service. */
  build: (database: Database, unreachable: ServiceClient) => Promise<App>;
  /** The reads of a system. */
  reads: (system: System) => Read[];
}

interface App {
  listen(options: { host: string; port: number }): Promise<string>;
  close(): PromiseLike<unknown>;
}

const perRound = 40;
const dispatcher = new Agent({ connections: 1, pipelining: 1 });

export const compareSizes = ({ service, size, times, seed, build, reads }: Growth) =>
  runBench(async ({ openPostgres, closing, check }) => {
    const postgres = await openPostgres();
    const unreachable = createServiceClient('http://127.0.0.1:9');
    closing.push(unreachable.close);

    async function start(rows: number): Promise<Read[]> {
      const url = await postgres.createDatabase(`${service}_${rows}`, { service, seed: (sql) => seed(sql, rows) });
      const database = connect(url);
      const app = await build(database, unreachable);
      closing.push(database.close, async () => void (await app.close()));
      return reads({ url: await app.listen({ host: '127.0.0.1', port: 0 }), size: rows, database });
    }

    const [ofSmall, ofLarge] = [await start(10_000), await start(size)];
    const rows: string[][] = [];
    for (const [at, read] of ofSmall.entries()) {
      const [small, large] = await measure([read, ofLarge[at] ?? read], Math.ceil(times / perRound));
      if (!small || !large) throw new Error('two systems expected');
      const { name, maxRatio } = read;
      rows.push([name, ...[small.p50, large.p50, large.p50 / small.p50, large.p99, large.p99 / small.p99].map(digits)]);
      if (maxRatio) check(`${name}, p50`, large.p50 / small.p50, { atMost: maxRatio });
    }
    printTable(['ms', 'p50 at 10000', `p50 at ${size}`, 'ratio', `p99 at ${size}`, 'ratio'], rows);
  });

const digits = (value: number) => value.toFixed(2);

async function measure(reads: Read[], rounds: number) {
  const taken = await inTurns(reads, rounds, async ({ prepare }, round) => {
    const ms: number[] = [];
    for (let turn = round * perRound; turn < (round + 1) * perRound; turn += 1) {
      const read = prepare(turn);
      const start = performance.now();
      await read();
      ms.push(performance.now() - start);
    }
    return ms;
  });
  return taken.map((of) => ({ p50: quantile(of.flat(), 0.5), p99: quantile(of.flat(), 0.99) }));
}

/** A passport of an administrator: the reads may take longer than the minute that passports are valid. */
export const adminHeaders = passportHeaders(testPrincipal(['ADMIN']), {
  claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 },
});

/** Sends a GET request over one connection, and returns the body of the response. */
export async function get(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { statusCode, body } = await request(url, { dispatcher, headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}: ${text}`);
  return text;
}
