import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');
export const resolvePath = (path: string) => join(root, path);

export interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

export const readAlerts = (): Alert[] => parse(read('infra/observability/alerts.yml')).groups[0].rules;

/** Returns the file name of the runbook, without the external label that Prometheus puts before it. */
export const runbookOf = ({ annotations }: Alert) =>
  annotations.runbook_url.replace(/^\{\{ \$externalLabels\.runbooks \}\}\//, '');

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string }[];
}
export const readPanels = (): Panel[] => JSON.parse(read('infra/observability/grafana/dashboards/lms.json')).panels;

/** Replaces the variable of Grafana by any duration, because the parser does not know it. */
const withoutVariables = (query: string) => query.replaceAll('$__rate_interval', '5m');

export interface Query {
  where: string;
  text: string;
}

export const readQueries = (): Query[] => [
  ...readAlerts().map(({ alert, expr }) => ({ where: alert, text: withoutVariables(expr) })),
  ...readPanels().flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, text: withoutVariables(expr) })),
  ),
];

/** Returns the metrics and labels of a query, and whether it is valid. */
export function parseQuery(query: string) {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  let isValid = true;
  const tree = parser.parse(query);
  tree.iterate({
    enter({ type, from, to, node }) {
      if (type.isError) isValid = false;
      const text = query.slice(from, to);
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector') metrics.add(text);
      if (type.name === 'LabelName') labels.add(text);
    },
  });
  return { metrics: [...metrics], labels: [...labels], isValid };
}
