import { format } from './format.ts';
import type { Series, Span } from './query-prometheus.ts';

export interface Panel {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: {
    defaults: { unit: string; max?: number; thresholds?: { steps: { color: string; value: number | null }[] } };
  };
  targets?: { expr: string; legendFormat: string }[];
}
export interface Named {
  name: string;
  series: Series;
}

const palette = ['#7eb26d', '#eab839', '#6ed0e0', '#ef843c', '#e24d42', '#1f78c1', '#ba43a9', '#705da0', '#b7dbab'];
const statColors: Record<string, string> = { green: '#299c46', orange: '#e0752d', red: '#d44a3a', blue: '#1f60c4' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A single value, coloured by its threshold. */
export function drawStat({ fieldConfig }: Panel, lines: Named[]): string {
  const { unit = 'none', thresholds } = fieldConfig?.defaults ?? {};
  const value = lines[0]?.series.points.at(-1)?.[1];
  const step = thresholds?.steps.filter((one) => one.value === null || (value ?? 0) >= one.value).at(-1);
  const text = value === undefined ? 'no data' : format(value, unit);
  return `<div class="stat" style="background:${statColors[step?.color ?? 'blue']}">${text}</div>`;
}

/** A time series chart as SVG, with a legend. */
export function drawLines(panel: Panel, lines: Named[], span: Span, width: number, height: number): string {
  const { unit = 'none', max } = panel.fieldConfig?.defaults ?? {};
  const values = lines.flatMap(({ series }) => series.points.map(([, value]) => value));
  const top = roundUp(Math.max(max ?? 0, ...values) || 1);
  const [left, bottom] = [58, 18];
  const x = (time: number) => left + ((time - span.from) / (span.to - span.from)) * (width - left - 6);
  const y = (value: number) => 6 + (1 - value / top) * (height - bottom - 6);
  const levels = [0, 0.25, 0.5, 0.75, 1].map((part) => part * top);
  const grid = levels.map(
    (level) =>
      `<line x1="${left}" x2="${width}" y1="${y(level)}" y2="${y(level)}"/><text x="${left - 6}" y="${y(level) + 4}" text-anchor="end">${format(level, unit).replace(/ (req)?\/s$/, '')}</text>`,
  );
  const times = [0, 0.25, 0.5, 0.75].map((part) => span.from + part * (span.to - span.from));
  const timeLabels = times.map((time) => `<text x="${x(time)}" y="${height - 2}">${formatTime(time)}</text>`);
  const paths = lines.map(({ series }, index) => {
    const d = series.points.map(([time, value], at) => {
      const isGap = at === 0 || time - (series.points[at - 1]?.[0] ?? 0) > span.stepSeconds * 4;
      return `${isGap ? 'M' : 'L'}${x(time).toFixed(1)},${y(value).toFixed(1)}`;
    });
    return `<path d="${d.join('')}" stroke="${palette[index % palette.length]}"/>`;
  });
  const legend = lines.map(
    ({ name, series }, index) =>
      `<span><i style="background:${palette[index % palette.length]}"></i>${escapeHtml(name)} <b>${formatLast(series, unit)}</b></span>`,
  );
  const noData =
    lines.length === 0 ? `<text x="${width / 2}" y="${height / 2}" text-anchor="middle">no data</text>` : '';
  return `<svg width="${width}" height="${height}">${grid.join('')}${timeLabels.join('')}${paths.join('')}${noData}</svg><div class="legend">${legend.join('')}</div>`;
}

function formatLast({ points }: Series, unit: string): string {
  const last = points.at(-1);
  return last === undefined ? '–' : format(last[1], unit);
}

const formatTime = (time: number) => new Date(time * 1_000).toISOString().slice(11, 16);

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
