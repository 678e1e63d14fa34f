/** @own-modules: the SDK exports metrics only if its first user in a process asks for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { until } from '../support/until';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readExpression } from '../support/promql';
import { startWithSharedMetrics } from '../support/shared-metrics';

interface Rule extends Readonly<Record<string, unknown>> {
  readonly labels: object;
  readonly annotations: object;
}
interface Alert extends Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const file = parse(read('ops', 'alerts.yml')) as RuleFile;
const alerts = file.groups.flatMap(({ rules }) => rules as readonly Alert[]);
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

beforeAll(async () => {
  const { api, stop } = await startWithSharedMetrics();
  try {
    let text = '';
    await until(async () => {
      text = await (await fetch(`${api.url}/metrics`)).text();
      return ['temporal_worker_task_slots_available', 'http_request_duration_seconds_bucket'].every(
        (name) => text.includes(`\n${name}{`),
      );
    });
    for (const line of text.split('\n')) note(line);
  } finally {
    await stop();
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
        ? matchers.flatMap(([label, values]) => {
            const known = found[index]?.get(label);
            if (!known) return [`${metric}{${label}}`];
            return values
              .filter((value) => !known.has(value))
              .map((value) => `${metric}{${label}="${value}"}`);
          })
        : [metric],
    ),
    ...grouping.filter(
      (label) =>
        label !== 'le' && !ADDED.includes(label) && !found.some((labels) => labels.has(label)),
    ),
  ];
}

/** Of the model of Prometheus: its units in this order, each at most once. */
const DURATION = /^(?=\d)(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/;

const others = (known: readonly string[], given: object) =>
  Object.keys(given).filter((key) => !known.includes(key));

/** What of the file Prometheus would refuse, or ignore: it loads no rule of a file with a key that it does not know. */
function wrongParts({ groups, ...besides }: RuleFile): string[] {
  const rules = groups.flatMap(({ rules: each }) => each);
  const names = rules.map(({ alert }) => String(alert));
  return [
    ...Object.keys(besides),
    ...groups.flatMap((group) => others(['name', 'rules'], group)),
    ...names.filter((name, at) => names.indexOf(name) !== at),
    ...rules.flatMap((rule) => [
      ...['alert', 'expr', 'for'].filter((key) => typeof rule[key] !== 'string'),
      ...others(['alert', 'expr', 'for', 'labels', 'annotations'], rule),
      ...others(['severity'], rule.labels),
      ...others(['summary', 'runbook'], rule.annotations),
      ...(DURATION.test(String(rule['for'])) ? [] : [`for: ${String(rule['for'])}`]),
    ]),
  ];
}

test('Prometheus would load every rule: it knows all keys, and each `for` is a duration', () => {
  expect(wrongParts(file)).toEqual([]);
});

test('an unknown key, a second rule of a name and a `for` of another form are detected', () => {
  const [group] = file.groups;
  const [rule] = group?.rules ?? [];
  if (!group || !rule) throw new Error('there are no rules');
  const withRules = (...rules: Rule[]) => wrongParts({ groups: [{ ...group, rules }] });
  expect(withRules(rule)).toEqual([]);
  expect(withRules({ ...rule, fro: '5m' })).toEqual(['fro']);
  expect(withRules({ ...rule, labels: { severty: 'page' } })).toEqual(['severty']);
  expect(withRules(rule, rule)).toEqual([rule['alert']]);
  for (const wrong of ['5', '5 m', '5min', '1s5m', '', '1.5h']) {
    expect(withRules({ ...rule, for: wrong })).toEqual([`for: ${wrong}`]);
  }
  for (const right of ['0m', '1h30m', '500ms'])
    expect(withRules({ ...rule, for: right })).toEqual([]);
});

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
  expect(missing('menu_uploads{state!="lost"}')).toEqual([]);
  expect(missing('menu_uploads{city!="lost"}')).toEqual(['menu_uploads{city}']);
  expect(missing('max by (city) (menu_uploads)')).toEqual(['city']);
});
