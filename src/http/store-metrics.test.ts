/** Metrics of bulk files, deliveries and sources, and the alert rules that use them. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMetrics } from '../../test/support/metrics.ts';
import { manyFailedSignIns, signInMethods } from '../accounts/sign-in/failed-sign-ins.ts';
import { dayMs, hourMs } from '../kernel/time.ts';
import { notExported } from '../publish/bulk/bulk-export.ts';
import type { SourceState } from '../sync/source-state.ts';
import { afterStop, countDay, emptyState } from '../sync/state-changes.ts';
import { HelperHealth, type Metric, Metrics, writeMetrics } from './metrics.ts';
import {
  backupMetrics,
  bulkMetrics,
  deliveryMetrics,
  diskMetrics,
  signInMetrics,
  syncMetrics,
} from './metrics-server.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** A source with all values. */
const full: SourceState = countDay(
  afterStop(
    {
      ...emptyState,
      lastSuccessAt: now - dayMs,
      budget: { hours: [[now / hourMs - 1, 60]], tokens: null, rule: { kind: 'day', calls: 100 } },
      coverage: {
        questions: 500,
        neverAsked: 20,
        oldestAt: now - 40 * dayMs,
        medianAt: now - 9 * dayMs,
      },
    },
    { at: now - hourMs, message: 'HTTP 401: renew the key "x".' },
  ),
  now,
  { calls: 3, rows: 70, rejects: 2 },
);

const shown = (...sources: { source: string; state: SourceState }[]) =>
  readMetrics(writeMetrics(syncMetrics(sources, now)));

test('a source has its last success, problems, budget, age and rows', () => {
  const { samples } = shown({ source: 'keepa', state: full });
  const told = samples.map(({ name, value }) => [name.replace('brickmark_sync_', ''), value]);
  expect(samples.every(({ labels }) => Bun.deepEquals(labels, { source: 'keepa' }))).toBe(true);
  const seconds = (at: number) => at / 1000;
  expect(Object.fromEntries(told)).toEqual({
    last_success_timestamp_seconds: seconds(now - dayMs),
    last_error_timestamp_seconds: seconds(now - hourMs),
    failures: 1,
    stopped: 1,
    next_call_timestamp_seconds: seconds(now + 23 * hourMs),
    budget_left: 40,
    budget_reset_timestamp_seconds: seconds(now + dayMs + hourMs / 6),
    questions: 500,
    never_asked: 20,
    oldest_answer_timestamp_seconds: seconds(now - 40 * dayMs),
    median_answer_timestamp_seconds: seconds(now - 9 * dayMs),
    calls_today: 3,
    rows_today: 70,
    rejects_today: 2,
  });
});

test('missing values are omitted, and without sources there are none', () => {
  const { samples, value } = shown(
    { source: 'ecb', state: emptyState },
    { source: 'keepa', state: full },
  );
  const ofEcb = samples.filter(({ labels }) => labels.source === 'ecb').map(({ name }) => name);
  const names = ['last_success_timestamp_seconds', 'last_error_timestamp_seconds', 'failures'];
  const always = [...names, 'stopped', 'calls_today', 'rows_today', 'rejects_today'];
  expect(ofEcb).toEqual(always.map((name) => `brickmark_sync_${name}`));
  expect(value('brickmark_sync_last_success_timestamp_seconds', { source: 'ecb' })).toBe(0);
  expect(value('brickmark_sync_stopped', { source: 'ecb' })).toBe(0);
  expect(syncMetrics([], now)).toEqual([]);
});

const root = join(import.meta.dir, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const nothingSent = { waiting: 0, oldestAt: null, dueSince: null, tallies: [] };
const namesOf = (metrics: readonly Metric[]) => metrics.map(({ name }) => name);
const known = [
  ...shown({ source: 'a', state: full }).types.keys(),
  ...namesOf(deliveryMetrics(nothingSent, now)),
  ...namesOf(signInMetrics([])),
  ...namesOf(backupMetrics(null)),
  ...namesOf(await diskMetrics(root)),
  ...namesOf(new HelperHealth(['pages']).list()),
  ...namesOf(new Metrics(true).list()),
  'brickmark_build_info',
  'brickmark_store_up',
  'brickmark_items_due',
  'brickmark_items_stale',
  // Of backup services, which node_exporter shows.
  ...(read('deploy/backup-result.sh').match(/brickmark_\w+/g) ?? []),
];

test('every metric in deploy/alerts.yaml exists, and its rules are complete', () => {
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly for: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string; readonly description: string };
  }
  const { groups } = Bun.YAML.parse(read('deploy/alerts.yaml')) as {
    readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
  };
  const rules = groups.flatMap(({ name, rules }) => rules.map((rule) => ({ name, ...rule })));
  expect(rules.length).toBeGreaterThan(4);
  for (const rule of rules) {
    const named = rule.expr.match(/brickmark_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(rule.for).toMatch(/^\d+[mh]$/);
    expect(rule.labels.severity).toMatch(/^(critical|warning|info)$/);
    expect(rule.annotations.description.length).toBeGreaterThan(20);
    if (rule.name !== 'brickmark-sources' || rule.expr.startsWith('absent(')) continue;
    // Several processes show the same: an alert comes once.
    expect(rule.expr.match(/max by \(source\)/g)).toHaveLength(named.length);
    expect(rule.annotations.summary).toContain('{{ $labels.source }}');
  }
});

test('each source asked item by item has its own age in deploy/alerts.yaml', () => {
  const [, stale = ''] = read('deploy/alerts.yaml').split('alert: BrickmarkSourceStale');
  const ages = [...stale.matchAll(/\{source="(\w+)"\}\) > (\d+) \* 86400/g)];
  expect(ages.map(([, source, days]) => [source, days])).toEqual([
    ['ebay', '85'],
    ['bricklink', '90'],
    ['keepa', '7'],
  ]);
});

test('docs/reference.md describes every metric', () => {
  const page = read('docs/reference.md');
  const isTold = (name: string) =>
    page.includes(`\`${name}\``) ||
    page.includes(`\`${name.replace(/^brickmark_(sync|upkeep|stream|disk)/, '')}\``);
  expect(known.filter((name) => !isTold(name))).toEqual([]);
});

test('the last copy and failures since are shown, once there is a target', () => {
  const state = { ...notExported('/srv/bulk'), failures: 2 };
  expect(bulkMetrics(null)).toEqual([]);
  const text = writeMetrics(bulkMetrics(state));
  expect(text).toContain('brickmark_bulk_export_last_success_timestamp_seconds 0\n');
  expect(text).toContain('brickmark_bulk_export_failures 2\n');
  expect(writeMetrics(bulkMetrics({ ...state, exportedAt: 5_500 }))).toContain('_seconds 5.5\n');
});

test('failed sign-ins are counted by method, from zero', () => {
  const { value } = readMetrics(writeMetrics(signInMetrics([{ method: 'code', count: 7 }])));
  const counts = signInMethods.map((method) => value('brickmark_failed_sign_ins', { method }));
  expect(counts).toEqual([0, 7, 0, 0]);
});

test('deploy/alerts.yaml and /operator agree on how many failed sign-ins are many', () => {
  expect(read('deploy/alerts.yaml')).toContain(
    `brickmark_failed_sign_ins)) > ${manyFailedSignIns - 1}`,
  );
});

test('waiting deliveries, their age, and the outcomes of attempts', () => {
  const tallies = [{ kind: 'webhook', outcome: 'failed', count: 7 } as const];
  const figures = { waiting: 3, oldestAt: now - 90_000, dueSince: now - 1_500, tallies };
  const text = writeMetrics(deliveryMetrics(figures, now));
  expect(text).toContain('brickmark_deliveries_waiting 3\n');
  expect(text).toContain('brickmark_delivery_oldest_seconds 90\n');
  expect(text).toContain('brickmark_delivery_delay_seconds 1.5\n');
  expect(text).toContain('brickmark_delivery_tries_total{channel="webhook",outcome="failed"} 7\n');
  expect(text).toContain('brickmark_delivery_tries_total{channel="email",outcome="done"} 0\n');
});

test('without waiting deliveries there is no delay', () => {
  const nothing = { waiting: 0, oldestAt: null, dueSince: null, tallies: [] };
  const text = writeMetrics(deliveryMetrics(nothing, now));
  expect(text).toContain('brickmark_delivery_oldest_seconds 0\n');
  // A process that stands still finds nothing that is due.
  expect(writeMetrics(deliveryMetrics(nothing, now, 6_000))).toContain(
    'brickmark_delivery_delay_seconds 6\n',
  );
  // A clock that is slightly behind gives no negative values.
  const ahead = { ...nothing, dueSince: now + 5 };
  expect(writeMetrics(deliveryMetrics(ahead, now))).toContain(
    'brickmark_delivery_delay_seconds 0\n',
  );
});
