const trimmed = (value: number) => String(Number(value.toPrecision(3)));

/** A value as Grafana would show it in that unit. */
export function format(value: number, unit: string): string {
  if (unit === 'percentunit') return `${trimmed(value * 100)} %`;
  if (unit === 's') return formatSeconds(value);
  const text = value >= 10_000 ? `${trimmed(value / 1_000)} k` : trimmed(value);
  return unit === 'reqps' ? `${text} req/s` : unit === 'ops' ? `${text} /s` : text;
}

function formatSeconds(value: number): string {
  if (value === 0) return '0 s';
  if (value < 1) return `${trimmed(value * 1_000)} ms`;
  if (value < 120) return `${trimmed(value)} s`;
  return value < 7_200 ? `${trimmed(value / 60)} min` : `${trimmed(value / 3_600)} h`;
}
