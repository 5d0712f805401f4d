import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';

const rounds = 12;
const perRound = 40;
const dispatcher = new Agent({ connections: 1, pipelining: 1 });

export interface RequestSeries {
  /** Returns the n-th URL to request. */
  urlOf: (turn: number) => string;
  headers: Record<string, string>;
}

/** Measures all series in turns, so that other load on the machine affects all of them. Returns sorted times in ms. */
export async function measure(series: RequestSeries[]): Promise<number[][]> {
  const times = series.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, { urlOf, headers }] of series.entries())
      for (let turn = 0; turn < perRound; turn += 1) {
        const ms = await time(urlOf(round * perRound + turn), headers);
        // The first round warms up.
        if (round > 0) times[index]?.push(ms);
      }
  return times.map((samples) => samples.sort((one, other) => one - other));
}

async function time(url: string, headers: Record<string, string>): Promise<number> {
  const start = performance.now();
  const { statusCode, body } = await request(url, { dispatcher, headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}: ${text}`);
  return performance.now() - start;
}

/** The value below which a share of the sorted samples lies. */
export const quantile = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
