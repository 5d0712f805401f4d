// Compares a service at two numbers of rows: the same reads, one after the other, in turns.
import { performance } from 'node:perf_hooks';
import { connect, type Database } from '@lms/database/connect';
import { createServiceClient, type ServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import type { Sql } from 'postgres';
import { Agent, request } from 'undici';
import { inTurns, printTable, quantile } from './results.ts';
import { runBench } from './run-bench.ts';

export interface Read {
  name: string;
  /** The highest allowed ratio of the p50, if it has a target. */
  maxRatio?: number;
  /** The n-th request, and a text that its response contains. */
  request: (turn: number) => { path: string; headers?: Record<string, string>; contains?: string };
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
  /** The reads of a system of this size. */
  reads: (size: number) => Read[];
}

interface App {
  listen(options: { host: string; port: number }): Promise<string>;
  close(): PromiseLike<unknown>;
}

const perRound = 40;
const smallSize = 10_000;

export const compareSizes = ({ service, size, times, seed, build, reads }: Growth) =>
  runBench(async ({ openPostgres, closing, check }) => {
    const postgres = await openPostgres();
    const unreachable = createServiceClient('http://127.0.0.1:9');
    closing.push(unreachable.close);

    async function start(rows: number) {
      const { url, sql } = await postgres.createDatabase(`${service}_${rows}`, service);
      await seed(sql, rows);
      const database = connect(url);
      const app = await build(database, unreachable);
      closing.push(database.close, async () => void (await app.close()));
      return { url: await app.listen({ host: '127.0.0.1', port: 0 }), reads: reads(rows) };
    }

    const systems = [await start(smallSize), await start(size)];
    const rows: string[][] = [];
    for (const [at, { name, maxRatio }] of reads(size).entries()) {
      const taken = await inTurns(systems, Math.ceil(times / perRound), (system, round) =>
        readTimes(system.url, system.reads[at], round * perRound),
      );
      const [p50 = 0, largeP50 = 0] = taken.map((ms) => quantile(ms.flat(), 0.5));
      const [p99 = 0, largeP99 = 0] = taken.map((ms) => quantile(ms.flat(), 0.99));
      const values = [p50, largeP50, largeP50 / p50, largeP99, largeP99 / p99];
      rows.push([name, ...values.map((value) => value.toFixed(2))]);
      if (maxRatio) check(`${name}, p50`, largeP50 / p50, { atMost: maxRatio });
    }
    printTable(['ms', `p50 at ${smallSize}`, `p50 at ${size}`, 'ratio', `p99 at ${size}`, 'ratio'], rows);
  });

const dispatcher = new Agent({ connections: 1, pipelining: 1 });

/** The milliseconds of some requests, one after the other over one connection. */
async function readTimes(url: string, read: Read | undefined, firstTurn: number) {
  const ms: number[] = [];
  for (let turn = firstTurn; read && turn < firstTurn + perRound; turn += 1) {
    const { path, headers = {}, contains = '' } = read.request(turn);
    const start = performance.now();
    const { statusCode, body } = await request(url + path, { dispatcher, headers });
    const text = await body.text();
    ms.push(performance.now() - start);
    if (statusCode !== 200 || !text.includes(contains)) throw new Error(`${path} returned ${statusCode}: ${text}`);
  }
  return ms;
}

/** A passport of an administrator: the reads may take longer than the minute that passports are valid. */
export const adminHeaders = passportHeaders(testPrincipal(['ADMIN']), {
  claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 },
});
