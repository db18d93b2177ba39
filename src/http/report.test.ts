/** The facts counted and logged for each request. */
import { describe, expect, test } from 'bun:test';
import type { Caller } from '../accounts/keys/quota.ts';
import { type LogLevel, makeLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { requestReporter, upkeepReporter } from './report.ts';
import type { RouteName } from './request-outcome.ts';

function ground(level: LogLevel) {
  const written: string[] = [];
  const log = makeLog({ level, clock: () => 0, write: (text) => written.push(text) });
  const metrics = new Metrics(false);
  const lines = () => {
    log.flush();
    return written.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line));
  };
  return { log, metrics, lines };
}

describe('a request', () => {
  /** The statuses that a log of a level has, of requests for a route that ended with these. */
  function logged(level: LogLevel, route: RouteName, statuses: readonly number[]): number[] {
    const { log, metrics, lines } = ground(level);
    const report = requestReporter(log, metrics);
    const request = { requestId: 'r', method: 'GET', route, startedAt: performance.now() };
    const outcome = { code: null, cost: 1, caller: null, body: '' };
    for (const status of statuses) report(request, { ...outcome, status });
    const requests = metrics.list().find(({ name }) => name === 'brickmark_requests_total');
    const counted = requests?.samples.reduce((sum, { value }) => sum + value, 0);
    expect(counted).toBe(statuses.length);
    return lines().map(({ status }) => status);
  }

  test('is logged if the level includes its status', () => {
    const statuses = [200, 399, 400, 404, 499, 500, 503];
    expect(logged('requests', 'getSet', statuses)).toEqual(statuses);
    expect(logged('errors', 'getSet', statuses)).toEqual([400, 404, 499, 500, 503]);
    expect(logged('off', 'getSet', statuses)).toEqual([500, 503]);
  });

  test('is counted for its key, but the tools of AI apps only by their calls', () => {
    const { log, metrics } = ground('errors');
    const counted: unknown[] = [];
    const report = requestReporter(log, metrics, ({ keyId }, route, { cost }) =>
      counted.push([keyId, route, cost]),
    );
    const caller = { keyId: 7, isTest: false } as Caller;
    const outcome = { status: 200, code: null, cost: 2, body: '' } as const;
    for (const route of ['getSet', 'mcp', 'sheetLink'] as const) {
      const request = { requestId: 'r', method: 'GET', route, startedAt: 0 };
      for (const who of [caller, null, { ...caller, isTest: true }]) {
        report(request, { ...outcome, caller: who });
      }
    }
    expect(counted).toEqual([
      [7, 'getSet', 2],
      [7, 'sheetLink', 2],
    ]);
  });

  test('with a test key is in no metric, unless the server failed', () => {
    const { log, metrics, lines } = ground('errors');
    const report = requestReporter(log, metrics);
    const request = { requestId: 'r', method: 'GET', route: 'getSet', startedAt: 0 } as const;
    const caller = { keyId: 1, accountId: 1, isTest: true } as Caller;
    const outcome = { status: 500, code: 'InternalError', cost: 0, caller, body: '' } as const;
    report(request, outcome);
    expect([metrics.testCalls, lines()]).toEqual([1, []]);
    report(request, { ...outcome, fault: { error: new Error('gone'), url: '' } });
    expect([metrics.testCalls, lines()]).toMatchObject([1, [{ status: 500, fault: {} }]]);
  });

  test('for /readyz is never a failure', () => {
    expect(logged('requests', 'readyz', [200, 503])).toEqual([200, 503]);
    expect(logged('errors', 'readyz', [200, 503])).toEqual([]);
    const { log, metrics, lines } = ground('requests');
    const request = { requestId: 'r', method: 'GET', route: 'readyz', startedAt: 0 } as const;
    const unready = { status: 503, code: null, cost: 0, caller: null, body: '' };
    requestReporter(log, metrics)(request, unready);
    expect(lines()).toMatchObject([{ status: 503, level: 'warn' }]);
  });
});

describe('the upkeep', () => {
  test('counts rounds, published items and the last success', () => {
    const { log, metrics, lines } = ground('requests');
    let now = 5;
    const report = upkeepReporter(log, metrics, () => now);
    report.onRound(3);
    now = 9;
    report.onRound(4);
    now = 20;
    report.onFailure(new Error('gone'));
    report.onPublished(7);
    expect(metrics.upkeep).toMatchObject({
      rounds: 3,
      published: 7,
      failures: 1,
      lastSuccessAt: 9,
    });
    expect(lines()).toMatchObject([
      { level: 'error', event: 'upkeep' },
      { level: 'info', event: 'published', items: 7 },
    ]);
  });
});
