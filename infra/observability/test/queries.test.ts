import { readdirSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { readContainers } from '../../docker/test/start-container.ts';
import { parseQuery, read, readAlerts, readPanels, readQueries, resolvePath, runbookOf } from './read-queries.ts';

const names = ['gateway', 'identity', 'content', 'media', 'media-worker', 'enrollment'];
// Created by Prometheus itself.
const prometheusOwn = ['up', 'ALERTS'];
const prometheusLabels = ['job', 'service', 'instance', 'alertstate', 'le'];

// What each process exposes while its dependencies are unavailable.
const metricsOf = new Map<string, string>();

t.test('each process accepts its environment, and listens while its dependencies are unavailable', async (t) => {
  const { getContainer, start } = readContainers(t);
  const startAndRead = async (name: string) => {
    const { child, adminPort, outcome } = await start(getContainer(name));
    t.equal(await outcome, 'listens', name);
    if (names.includes(name)) {
      const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
      t.equal(response.status, 200, `the metrics of ${name}`);
      metricsOf.set(name, await response.text());
    }
    child.kill('SIGKILL');
  };
  await Promise.all([...names, 'identity-provider'].map(startAndRead));
});

t.test('every query is valid', async (t) => {
  const queries = readQueries();
  t.ok(queries.length > 40, `${queries.length} queries`);
  for (const { where, text } of queries) {
    const { isValid, metrics } = parseQuery(text);
    t.ok(isValid && metrics.length > 0, `${where}: ${text}`);
  }
  t.notOk(parseQuery('sum by (a (rate(b[5m])').isValid, 'an invalid query is detected');
});

t.test(
  'every metric and label in a query is exposed by a process, also while its dependencies are unreachable',
  async (t) => {
    const texts = names.map((name) => metricsOf.get(name));
    const metricsText = texts.join('\n');
    const families = new Set(
      [...metricsText.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const labels = readLabelNames();
    for (const { where, text } of readQueries()) {
      const { metrics, labels: used } = parseQuery(text);
      for (const metric of metrics) t.ok(prometheusOwn.includes(metric) || families.has(metric), `${where}: ${metric}`);
      for (const label of used) t.ok(prometheusLabels.includes(label) || labels.has(label), `${where}: label ${label}`);
    }
    for (const [index, name] of names.entries())
      t.match(texts[index], /^process_cpu_seconds_total /m, `${name} exposes metrics without its dependencies`);

    /** Most series only appear with traffic, so the labels are read from the sources: `labels: [...]`, `labels = [...]`, or a RouteLabel. */
    function readLabelNames() {
      const folders = [
        'gateway/src',
        'services/media/src',
        'services/identity/src',
        'packages/events/src',
        'packages/service/src',
      ];
      const sources = folders.flatMap((folder) =>
        readdirSync(resolvePath(folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts'))
          .map((file) => read(`${folder}/${file}`)),
      );
      const declarations = sources.flatMap((source) => [
        ...(source.match(/labels(?: =|:) \[[^\]]*\]/g) ?? []),
        ...(source.match(/name: '\w+',\s+valueOf:/g) ?? []),
      ]);
      return new Set(declarations.flatMap((text) => [...text.matchAll(/'(\w+)'/g)].map(([, label = '']) => label)));
    }
  },
);

t.test('the documentation describes every metric of the project', async (t) => {
  const page = read('docs/operations/observability.md');
  const metrics = new Set<string>();
  for (const text of metricsOf.values()) {
    for (const [, metric = ''] of text.matchAll(/^# TYPE (\S+)/gm))
      if (!/^(process|nodejs)_/.test(metric)) metrics.add(metric);
  }
  t.ok(metrics.size > 25, `${metrics.size} metrics`);
  for (const metric of metrics) t.ok(page.includes(`\`${metric}\``), metric);
});

t.test('every alert has a runbook, a severity and a summary, and every runbook has an alert', async (t) => {
  const alerts = readAlerts();
  const folder = 'docs/operations/runbooks';
  const pages = readdirSync(resolvePath(folder)).filter((file) => file !== 'README.md');
  t.same(new Set(alerts.map(runbookOf)), new Set(pages));
  t.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
  const index = read(`${folder}/README.md`);
  for (const rule of alerts) {
    const { alert, expr, labels, annotations } = rule;
    t.match(labels.severity, /^(critical|warning)$/, alert);
    t.ok(annotations.summary.length > 10, alert);
    const page = read(`${folder}/${runbookOf(rule)}`);
    t.ok(
      page.startsWith(`# ${alert}\n`) && page.includes(`\`${expr}\``),
      `${alert}: the runbook contains the expression`,
    );
    t.match(page, /## How to look\n\n- [\s\S]+## What to do\n\n- /, alert);
    t.ok(index.includes(`[${alert}]`), `${alert} is in the index`);
  }
});

t.test('the dashboard has three rows, and every panel has a position, a unit and a data source', async (t) => {
  const panels = readPanels();
  t.same(
    panels.filter(({ type }) => type === 'row').map(({ title }) => title),
    ['Health', 'Latency', 'Background work'],
  );
  for (const panel of panels.filter(({ type }) => type !== 'row'))
    t.match(
      panel,
      {
        gridPos: { w: Number, h: Number },
        fieldConfig: { defaults: { unit: /./ } },
        datasource: { uid: 'prometheus' },
      },
      panel.title,
    );
});

t.test('the configuration files refer to each other correctly', async (t) => {
  const prometheus = parse(read('infra/observability/prometheus.yml'));
  t.same(prometheus.rule_files, ['alerts.yml']);
  const targets = prometheus.scrape_configs[0].static_configs;
  t.same(
    targets.map(({ targets: [target], labels }: { targets: string[]; labels: { service: string } }) => [
      target,
      labels.service,
    ]),
    names.map((name) => [`${name}:9090`, name]),
  );
  const { datasources } = parse(read('infra/observability/grafana/provisioning/datasources/datasources.yml'));
  t.same(
    datasources.map(({ uid }: { uid: string }) => uid),
    ['prometheus', 'tempo'],
  );
  const collector = parse(read('infra/observability/otel-collector.yaml'));
  const { receivers, processors, exporters } = collector.service.pipelines.traces;
  for (const [kind, used] of Object.entries({ receivers, processors, exporters }))
    for (const name of used) t.ok(collector[kind][name], `${kind}: ${name}`);
  const tempo = parse(read('infra/observability/tempo.yaml'));
  t.match(tempo.distributor.receivers.otlp.protocols.grpc.endpoint, /:4317$/);
  t.equal(collector.exporters['otlp_grpc/tempo'].endpoint, 'tempo:4317');
});
