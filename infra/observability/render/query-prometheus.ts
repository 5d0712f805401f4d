export interface Span {
  from: number;
  to: number;
  stepSeconds: number;
}

/** A series of a query result. Times are Unix seconds. */
export interface Series {
  labels: Record<string, string>;
  points: [time: number, value: number][];
}

/** Runs a range query. `$__rate_interval` is a variable of Grafana: four scrape intervals. */
export async function queryPrometheus(url: string, query: string, { from, to, stepSeconds }: Span): Promise<Series[]> {
  const parameters = new URLSearchParams({
    query: query.replaceAll('$__rate_interval', '1m'),
    start: String(from),
    end: String(to),
    step: String(stepSeconds),
  });
  const response = await fetch(`${url}/api/v1/query_range?${parameters}`);
  const { status, error, data } = Object(await response.json());
  if (status !== 'success') throw new Error(`${query}: ${error}`);
  return data.result.map(({ metric, values }: { metric: Record<string, string>; values: [number, string][] }) => ({
    labels: metric,
    points: values
      .map(([time, value]): [number, number] => [time, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)])
      .filter(([, value]) => Number.isFinite(value)),
  }));
}

/** Replaces the labels in a legend format like `{{service}} in use`. */
export const nameOf = (legend: string, { labels }: Series) =>
  legend.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => labels[label] ?? '');
