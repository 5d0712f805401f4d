import { drawLines, drawStat, type Panel } from './draw.ts';
import { nameOf, queryPrometheus, type Span } from './query-prometheus.ts';

const column = 66;
const unit = 34;
const gap = 8;

const style = `
  body { margin: 0; background: #111217; color: #d0d3da; font: 13px/1.35 'DejaVu Sans', sans-serif; position: relative }
  .panel { position: absolute; background: #181b1f; border: 1px solid #2a2d33; box-sizing: border-box; padding: 6px 8px; overflow: hidden }
  .panel h2 { margin: 0 0 4px; font-size: 13px; font-weight: 600; white-space: nowrap }
  .row { position: absolute; font-size: 17px; font-weight: 600; padding: 5px 0 }
  .stat { position: absolute; inset: 30px 8px 8px; display: grid; place-content: center; font-size: 30px; font-weight: 600; color: #fff; border-radius: 3px }
  svg line { stroke: #2a2d33 } svg path { fill: none; stroke-width: 1.6 } svg text { fill: #8e939d; font-size: 11px }
  .legend { font-size: 11px; line-height: 1.45; color: #a9aeb8 } .legend span { margin-right: 12px; white-space: nowrap; display: inline-block }
  .legend i { display: inline-block; width: 12px; height: 3px; margin-right: 5px; vertical-align: 3px } .legend b { color: #e6e8ec; font-weight: 600 }
`;

/** Renders all panels as one HTML page. */
export async function makePage(url: string, panels: Panel[], span: Span) {
  const drawn = [];
  for (const panel of panels) drawn.push(await drawPanel(url, panel, span));
  const height = Math.max(...panels.map(({ gridPos: { y, h } }) => (y + h) * unit)) + gap;
  const width = 24 * column + gap;
  return {
    width,
    height,
    html: `<!doctype html><meta charset="utf-8"><style>${style} body { width: ${width}px; height: ${height}px }</style>${drawn.join('')}`,
  };
}

async function drawPanel(url: string, panel: Panel, span: Span): Promise<string> {
  const { x, y, w, h } = panel.gridPos;
  const at = `left:${x * column + gap}px;top:${y * unit + gap}px;width:${w * column - gap}px;height:${h * unit - gap}px`;
  if (panel.type === 'row') return `<div class="row" style="${at}">${panel.title}</div>`;
  const lines = [];
  for (const { expr, legendFormat } of panel.targets ?? [])
    for (const series of await queryPrometheus(url, expr, span))
      lines.push({ name: nameOf(legendFormat, series), series });
  const legendRows = Math.min(4, Math.ceil(lines.reduce((sum, { name }) => sum + name.length + 12, 0) / (w * 8.5)));
  const body =
    panel.type === 'stat'
      ? drawStat(panel, lines)
      : drawLines(panel, lines, span, w * column - gap - 18, h * unit - gap - 36 - legendRows * 16);
  return `<div class="panel" style="${at}"><h2>${panel.title}</h2>${body}</div>`;
}
