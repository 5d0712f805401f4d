import { Pool } from 'undici';
import { createBreaker } from './circuit-breaker.ts';
import { createConnector } from './connect.ts';

export interface UpstreamOptions {
  name: string;
  url: string;
  connections: number;
}

const connectMs = 1_000;
const keepAliveMs = 4_000;

/** The connections to one service, apart from those to the others. */
export function openUpstream({ name, url, connections }: UpstreamOptions) {
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    connect: createConnector(connectMs),
    keepAliveTimeout: keepAliveMs,
  });
  return { name, pool, breaker: createBreaker(), close: () => pool.destroy() };
}
export type Upstream = ReturnType<typeof openUpstream>;
