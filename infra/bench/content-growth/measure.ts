import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';

export interface Route {
  name: string;
  /** The paths to request, one after the other. */
  paths: string[];
  headers?: Record<string, string>;
  /** The highest allowed ratio of the p50. */
  target: number;
}

export interface Latency {
  p50: number;
  p99: number;
}

const warmUps = 50;
const requestsPerRoute = 1_000;
const dispatcher = new Agent({ connections: 1, pipelining: 1 });

/** Measures several servers in turns, so that other load on the machine affects all of them. */
export async function measure(servers: { url: string; route: Route }[]): Promise<Latency[]> {
  const durations = servers.map((): number[] => []);
  for (let turn = 0; turn < warmUps + requestsPerRoute; turn += 1)
    for (const [index, { url, route }] of servers.entries()) {
      const ms = await time(`${url}${route.paths[turn % route.paths.length]}`, route.headers ?? {});
      if (turn >= warmUps) durations[index]?.push(ms);
    }
  return durations.map((samples) => ({ p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }));
}

async function time(url: string, headers: Record<string, string>): Promise<number> {
  const start = performance.now();
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}`);
  return performance.now() - start;
}

function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
