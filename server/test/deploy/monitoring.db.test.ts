import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import type { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeParts } from '../../src/describe-parts.ts';
import { createMetrics } from '../../src/http/monitoring/metrics.ts';
import { RequestCounts } from '../../src/http/monitoring/request-counts.ts';
import { createTestContext, type TestContext } from '../create-test-context.ts';
import { readDeployFile, readDocuments } from './deploy-files.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Panel {
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const [rulesFile] = readDocuments<{ readonly groups: readonly { readonly rules: Rule[] }[] }>(
  'alerts.yaml',
);
const rules = rulesFile?.groups.flatMap((group) => group.rules) ?? [];
const dashboard = JSON.parse(readDeployFile('dashboard.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const expressions: readonly (readonly [string, string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
  ),
];

interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** The metrics of an expression, and the labels that select among them. Throws for what is not PromQL. */
function readSelectors(expression: string): Selector[] {
  const selectors: { metric: string; labels: string[] }[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`${expression} is not PromQL at ${from}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        selectors.push({ metric: text, labels: [] });
      const isMatcher = node.parent?.name === 'UnquotedLabelMatcher';
      if (type.name === 'LabelName' && isMatcher) selectors.at(-1)?.labels.push(text);
    },
  });
  return selectors;
}

/** Labels and a metric that Prometheus itself adds. */
const ofPrometheus = { labels: ['job', 'instance'], metrics: ['up'] };

let test: TestContext;
let metrics: Registry;
beforeAll(async () => {
  test = await createTestContext();
  metrics = createMetrics({
    ctx: test.ctx,
    serving: {
      requests: new RequestCounts(),
      limitFaults: () => 0,
      keyUses: { droppedCount: 0 },
    },
    downloads: {
      counts: test.downloadCounts,
      journal: () => ({ lagSeconds: 0, journalBytes: 0, newerJournalBytes: 0, dropped: 0 }),
    },
    pings: test.pingCounts,
    notifications: test.notificationCounts,
    webhooks: test.webhookCounts,
    parts: describeParts(test),
  });
});
afterAll(() => test[Symbol.asyncDispose]());

describe('alerts and the dashboard', () => {
  it.each(expressions)('%s is PromQL, about metrics and labels that exist', (_, expression) => {
    const selectors = readSelectors(expression);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, labels } of selectors) {
      const declared = metrics.getSingleMetric(metric) as { labelNames?: string[] } | undefined;
      const isDeclared = declared !== undefined || ofPrometheus.metrics.includes(metric);
      expect(isDeclared, metric).toBe(true);
      const known = [...ofPrometheus.labels, ...(declared?.labelNames ?? [])];
      expect(known, metric).toEqual(expect.arrayContaining([...labels]));
    }
  });

  it('docs/operate.md explains every metric of Podstead, with its labels', () => {
    const page = readFileSync(new URL('../../../docs/operate.md', import.meta.url), 'utf8');
    const explained = [...page.matchAll(/^\| `(podstead_\w+)(?:\{([\w,]+)\})?` \|/gm)];
    const declared = metrics.getMetricsAsArray().filter(({ name }) => name.startsWith('podstead_'));
    const labelsOf = (metric: object) => (metric as { labelNames: string[] }).labelNames.join(',');
    expect(explained.map(([, name, labels = '']) => `${name}{${labels}}`).sort()).toEqual(
      declared.map((metric) => `${metric.name}{${labelsOf(metric)}}`).sort(),
    );
  });

  it('text that is not PromQL is refused, and each metric of an expression is found', () => {
    expect(() => readSelectors('sum(rate(x[5m])')).toThrow('is not PromQL');
    expect(() => readSelectors('sum by (x) y z')).toThrow('is not PromQL');
    expect(readSelectors('rate(a{b="c",d=~"e"}[5m]) / ignoring(f) g')).toEqual([
      { metric: 'a', labels: ['b', 'd'] },
      { metric: 'g', labels: [] },
    ]);
  });

  it('alerts have different names, a severity and one sentence or more', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
    const watched = rules.flatMap(({ expr }) => readSelectors(expr).map(({ metric }) => metric));
    for (const metric of ['backup_age_seconds', 'part_up', 'http_requests_total', 'jobs_total'])
      expect(watched).toContain(`podstead_${metric}`);
  });

  it('texts name only labels that their expression has left', () => {
    const texts = [
      ...rules.map(({ expr, annotations }) => [expr, annotations.summary] as const),
      ...dashboard.panels.flatMap(({ targets }) =>
        targets.map(({ expr, legendFormat }) => [expr, legendFormat] as const),
      ),
    ];
    for (const [expr, text] of texts) {
      for (const [, label = ''] of text.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)) {
        const [, kept] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
        const left = kept?.split(', ') ?? ofPrometheus.labels;
        expect(left, expr).toContain(label);
      }
    }
  });

  it('panels of the dashboard are beside and below each other, and its variables exist', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, n) => `${x + (n % w)}:${y + Math.floor(n / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    const variables = dashboard.templating.list.map(({ name }) => name);
    const used = [...readDeployFile('dashboard.json').matchAll(/\$\{?([a-z]\w*)/g)];
    for (const [, name = ''] of used) expect(variables).toContain(name);
  });
});
