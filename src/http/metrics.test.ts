/** Counters of a server, and their metrics. */
import { describe, expect, test } from 'bun:test';
import { readMetrics } from '../../test/support/metrics.ts';
import { makeLog } from './log.ts';
import { HelperHealth, Metrics, writeMetrics } from './metrics.ts';
import { requestReporter, upkeepReporter } from './report.ts';
import type { RequestOutcome } from './request-outcome.ts';

const outcome = (facts: Partial<RequestOutcome>): RequestOutcome => ({
  status: 200,
  code: null,
  cost: 0,
  caller: null,
  body: '',
  ...facts,
});

/** The values of a metric that are not 0, by their labels. */
function shown(metrics: Metrics, name: string): Record<string, number> {
  const found = metrics.list().find((metric) => metric.name === `brickmark_${name}`);
  if (!found) throw new Error(`There is no ${name}.`);
  const samples = found.samples.filter(({ value }) => value !== 0);
  return Object.fromEntries(
    samples.map(({ suffix = '', labels = {}, value }) => [
      [suffix, ...Object.values(labels)].filter(Boolean).join(' '),
      value,
    ]),
  );
}

describe('answers', () => {
  test('are counted by route and status class', () => {
    const metrics = new Metrics(false);
    for (const status of [200, 204, 304, 400, 499, 503]) {
      metrics.count('getSet', outcome({ status }), 1);
    }
    metrics.count('readyz', outcome({ status: 503 }), 1);
    expect(shown(metrics, 'requests_total')).toEqual({
      'getSet 2xx': 2,
      'getSet 3xx': 1,
      'getSet 4xx': 2,
      'getSet 5xx': 1,
      'readyz 5xx': 1,
    });
  });

  test('are in every bucket whose bound they do not exceed, in seconds', () => {
    const metrics = new Metrics(false);
    for (const ms of [0.5, 1, 2, 50, 50.1, 6_000]) metrics.count('getSet', outcome({}), ms);
    expect(shown(metrics, 'request_duration_seconds')).toEqual({
      '_bucket getSet 0.001': 2,
      '_bucket getSet 0.0025': 3,
      '_bucket getSet 0.005': 3,
      '_bucket getSet 0.01': 3,
      '_bucket getSet 0.05': 4,
      '_bucket getSet 0.25': 5,
      '_bucket getSet 1': 5,
      '_bucket getSet 5': 5,
      '_bucket getSet +Inf': 6,
      '_sum getSet': (0.5 + 1 + 2 + 50 + 50.1 + 6_000) / 1_000,
      '_count getSet': 6,
    });
  });

  test('sum the cost of calls and streams, and errors by code', () => {
    const metrics = new Metrics(false);
    metrics.count('getSet', outcome({ cost: 1 }), 1);
    metrics.count('getSet', outcome({ cost: 25 }), 1);
    metrics.streams.cost += 3;
    for (const code of ['NotFound', 'NotFound', 'BadRequest'] as const) {
      metrics.count('getSet', outcome({ status: 404, code }), 1);
    }
    expect(shown(metrics, 'cost_granted_total')).toEqual({ '': 29 });
    expect(shown(metrics, 'refusals_total')).toEqual({ NotFound: 2, BadRequest: 1 });
  });
});

test('counters start at zero', () => {
  const all = new Metrics(true).list().flatMap(({ samples }) => samples);
  expect(all.filter(({ value }) => value !== 0)).toEqual([]);
  // Every bucket exists from the start, including the unbounded one.
  const bounds = all.filter(({ labels }) => labels?.route === 'getSet' && labels.le);
  expect(bounds.map(({ labels }) => labels?.le)).toEqual([
    '0.001',
    '0.0025',
    '0.005',
    '0.01',
    '0.05',
    '0.25',
    '1',
    '5',
    '+Inf',
  ]);
});

describe('upkeep', () => {
  test('is not shown by a process without it', () => {
    const names = (hasUpkeep: boolean) =>
      new Metrics(hasUpkeep).list().filter(({ name }) => name.includes('upkeep'));
    expect(names(false)).toEqual([]);
    expect(names(true)).toHaveLength(4);
  });

  test('counts rounds, failures, published items and the last success', () => {
    const metrics = new Metrics(true);
    const written: string[] = [];
    const log = makeLog({ level: 'off', clock: () => 0, write: (text) => written.push(text) });
    const reporter = upkeepReporter(log, metrics, () => 5_000);
    reporter.onRound(3);
    reporter.onRound(4);
    reporter.onFailure(new Error('lost'));
    expect(shown(metrics, 'upkeep_rounds_total')).toEqual({ '': 3 });
    expect(shown(metrics, 'upkeep_failures_total')).toEqual({ '': 1 });
    expect(shown(metrics, 'upkeep_published_total')).toEqual({ '': 7 });
    expect(shown(metrics, 'upkeep_last_success_timestamp_seconds')).toEqual({ '': 5 });
    log.flush();
    expect(written.join()).toContain('"event":"upkeep"');
  });
});

test('requests are always counted, and logged from the status of the level', () => {
  const lines = (level: 'off' | 'errors' | 'requests') => {
    const metrics = new Metrics(false);
    const written: string[] = [];
    const log = makeLog({ level, clock: () => 0, write: (text) => written.push(text) });
    const report = requestReporter(log, metrics);
    for (const [route, status] of [
      ['getSet', 200],
      ['getSet', 399],
      ['getSet', 400],
      ['getSet', 499],
      ['getSet', 500],
      ['readyz', 503],
    ] as const) {
      const startedAt = performance.now() - 10;
      report({ requestId: 'r', method: 'GET', route, startedAt }, outcome({ status }));
    }
    log.flush();
    expect(shown(metrics, 'requests_total')).toMatchObject({ 'readyz 5xx': 1, 'getSet 5xx': 1 });
    const all = written.flatMap((text) => text.trimEnd().split('\n'));
    return all.map((line) => JSON.parse(line) as { status: number; ms: number });
  };
  const statuses = (level: 'off' | 'errors' | 'requests') =>
    lines(level).map(({ status }) => status);
  expect(statuses('requests')).toEqual([200, 399, 400, 499, 500, 503]);
  // "Not ready" is not a failure, and is requested every few seconds.
  expect(statuses('errors')).toEqual([400, 499, 500]);
  expect(statuses('off')).toEqual([500]);
  for (const { ms } of lines('requests')) expect(ms).toBeWithin(10, 10_000);
});

test('replacements are counted from zero, and silence is that of the process', () => {
  const health = new HelperHealth(['pages', 'upkeep']);
  const read = (name: string, helper: string) =>
    readMetrics(writeMetrics(health.list())).value(`brickmark_helper_${name}`, { helper });
  expect([read('replaced_total', 'pages'), read('silent_seconds', 'pages')]).toEqual([0, 0]);
  health.watch('pages', () => ({ silentMs: 2_500, memoryBytes: 81_920 }));
  health.noteReplaced('pages');
  expect([read('replaced_total', 'pages'), read('silent_seconds', 'pages')]).toEqual([1, 2.5]);
  expect([read('replaced_total', 'upkeep'), read('silent_seconds', 'upkeep')]).toEqual([0, 0]);
  expect([read('memory_bytes', 'pages'), read('memory_bytes', 'upkeep')]).toEqual([81_920, 0]);
});
