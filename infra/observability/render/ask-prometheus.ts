export interface Span {
  from: number;
  to: number;
  stepSeconds: number;
}

/** One line of an answer: what it is called, and its values at their times (Unix seconds). */
export interface Line {
  labels: Record<string, string>;
  points: [time: number, value: number][];
}

/** A query's answer over a span of time. Grafana's own variable stands for four scrapes. */
export async function askPrometheus(url: string, query: string, { from, to, stepSeconds }: Span): Promise<Line[]> {
  const parameters = new URLSearchParams({
    query: query.replaceAll('$__rate_interval', '1m'),
    start: String(from),
    end: String(to),
    step: String(stepSeconds),
  });
  const answer = await fetch(`${url}/api/v1/query_range?${parameters}`);
  const { status, error, data } = Object(await answer.json());
  if (status !== 'success') throw new Error(`${query}: ${error}`);
  return data.result.map(({ metric, values }: { metric: Record<string, string>; values: [number, string][] }) => ({
    labels: metric,
    points: values
      .map(([time, value]): [number, number] => [time, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)])
      .filter(([, value]) => Number.isFinite(value)),
  }));
}

/** The name that a legend like `{{service}} in use` gives a line. */
export const nameOf = (legend: string, { labels }: Line) =>
  legend.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => labels[label] ?? '');
