import { readdirSync, readFileSync } from 'node:fs';
import { until } from '../support/until';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import { runWorker } from '../../src/run/run-worker';
import { readExpression } from '../support/promql';
import { prepareSystem, stopSystems } from '../support/system';
import { testWorkflowBundle } from '../support/workflow-bundle';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const { groups } = parse(read('ops', 'alerts.yml')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const panels = readdirSync(join(ROOT, 'ops', 'grafana')).flatMap((name) => {
  const dashboard = JSON.parse(read('ops', 'grafana', name)) as Dashboard;
  return dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
  );
});
/** Prometheus adds it to scraped series. */
const ADDED = ['instance'];

type Labels = ReadonlyMap<string, ReadonlySet<string>>;
/** The label values of each metric of a service that has done nothing yet. */
const series = new Map<string, Map<string, Set<string>>>();

/** API and worker in one process, which have all metrics that there are. */
beforeAll(async () => {
  const system = await prepareSystem();
  const api = await system.startApi();
  const worker = await runWorker({
    config: loadConfig(system.env),
    log: createLog('silent'),
    workflowBundle: testWorkflowBundle(),
    metrics: api.metrics,
  });
  try {
    let text = '';
    await until(async () => {
      text = await (await fetch(`${api.url}/metrics`)).text();
      return ['temporal_worker_task_slots_available', 'http_request_duration_seconds_bucket'].every(
        (name) => text.includes(`\n${name}{`),
      );
    }, 20_000);
    for (const line of text.split('\n')) note(line);
  } finally {
    await worker.stop();
    await stopSystems();
  }
});

function note(line: string): void {
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
  if (name === undefined) return;
  const known = series.get(name) ?? new Map<string, Set<string>>();
  series.set(name, known);
  for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
    known.set(label, (known.get(label) ?? new Set()).add(value));
  }
}

/** The series in an expression that do not exist; empty if all exist. */
function missing(expr: string): string[] {
  const { selectors, grouping } = readExpression(expr);
  const found = selectors.map(({ metric }): Labels => series.get(metric) ?? new Map());
  return [
    ...selectors.flatMap(({ metric, matchers }, index) =>
      series.has(metric)
        ? matchers.flatMap(([label, values]) =>
            values
              .filter((value) => !found[index]?.get(label)?.has(value))
              .map((value) => `${metric}{${label}="${value}"}`),
          )
        : [metric],
    ),
    ...grouping.filter(
      (label) =>
        label !== 'le' && !ADDED.includes(label) && !found.some((labels) => labels.has(label)),
    ),
  ];
}

test.each(alerts)('$alert uses series that exist before anything has happened', ({ expr }) => {
  expect(readExpression(expr).selectors).not.toEqual([]);
  expect(missing(expr)).toEqual([]);
});

test('every series and label of a dashboard exists', () => {
  expect(panels.length).toBeGreaterThan(20);
  for (const { title, expr, legendFormat } of panels) {
    expect([title, missing(expr)]).toEqual([title, []]);
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    const { grouping } = readExpression(expr);
    expect([title, named.filter((label) => !grouping.includes(label ?? ''))]).toEqual([title, []]);
  }
});

test('each alert has a section in the runbook that says what it means, where to look and what to do', () => {
  const [, sections = ''] = read('docs', 'runbook.md').split('\n## Alerts\n');
  const byName = new Map(
    sections
      .split('\n### ')
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );
  expect([...byName.keys()]).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, labels, annotations } of alerts) {
    const section = byName.get(alert) ?? '';
    for (const part of ['Means', 'Look', 'Do']) expect(section).toContain(`- **${part}**: `);
    expect(section).toContain(annotations.summary);
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(['page', 'ticket']).toContain(labels.severity);
  }
});

test('an invalid expression, or one about a missing series, would be detected', () => {
  expect(() => readExpression('sum by (app rate(x[5m])')).toThrow('no PromQL');
  expect(missing('rate(nothing_total[5m])')).toEqual(['nothing_total']);
  expect(missing('menu_uploads{state="lost"}')).toEqual(['menu_uploads{state="lost"}']);
  expect(missing('max by (city) (menu_uploads)')).toEqual(['city']);
});
