/** `backtest`: reproducible and plausible figures. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

interface Report {
  readonly world: string;
  readonly scored: number;
  readonly noise_floor: number;
  readonly methods: {
    readonly name: string;
    readonly accuracy: { readonly count: number; readonly sale_error: number };
    readonly sale_error_interval: { readonly low: number; readonly high: number };
  }[];
  readonly horizons: { readonly days: number }[];
  readonly goals: unknown[];
  readonly probes: { readonly odd_sales: { readonly values: number }[] };
}

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

test('the same seed gives the same figures in another process', async () => {
  const words = ['backtest', '--seed', '7', '--sets', '1', '--json'];
  const first = await place.start(words);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(await place.run(words)).toEqual(first);
});

test('every method has an error above the noise floor', async () => {
  const report = await place.json<Report>(['backtest', '--seed', '7', '--sets', '20']);
  expect(report.world).toBe('A');
  expect(report.scored).toBeGreaterThan(200);
  for (const { accuracy, sale_error_interval } of report.methods) {
    expect(accuracy.count).toBeGreaterThan(150);
    expect(accuracy.sale_error).toBeGreaterThan(report.noise_floor);
    expect(sale_error_interval.low).toBeLessThanOrEqual(accuracy.sale_error);
    expect(sale_error_interval.high).toBeGreaterThanOrEqual(accuracy.sale_error);
  }
  const error = (name: string) => report.methods.find((m) => m.name === name)?.accuracy.sale_error;
  expect(report.methods.at(-1)?.accuracy.sale_error).toBeLessThan(error('last sale') ?? 0);
  expect(report.horizons.map(({ days }) => days)).toEqual([0, 30, 90]);
  expect(report.goals.length).toBeGreaterThanOrEqual(5);
  expect(report.probes.odd_sales.every(({ values }) => values > 0)).toBe(true);
});

test('the tables name every method and what it was measured on, within 120 columns', async () => {
  const { status, stdout } = await place.run(['backtest', '--sets', '2', '--world', 'c']);
  expect(status).toBe(0);
  for (const name of ['MSRP', 'mean of 180 days', 'hedonic only', 'World C, seed 23, 2 sets']) {
    expect(stdout).toContain(name);
  }
  expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test('--buying reports how often prices clear, waiting times and boxes', async () => {
  const { status, stdout } = await place.run(['backtest', '--sets', '3', '--buying']);
  expect(status).toBe(0);
  for (const text of ['World A, seed 23, 3 sets', 'at 80%', 'predicted wait', 'items in a box']) {
    expect(stdout).toContain(text);
  }
  expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test.each([
  ['--sets', '0'],
  ['--sets', '1e3'],
  ['--sets', '99999999'],
  ['--seed', 'x'],
])('%s %s is a usage error', async (flag, value) => {
  const { status, stderr } = await place.run(['backtest', flag, value]);
  expect(status).toBe(2);
  expect(stderr).toContain(`${flag} must be a whole number`);
});

test('an unknown world is a usage error that lists the worlds', async () => {
  const { status, stderr } = await place.run(['backtest', '--world', 'Z']);
  expect(status).toBe(2);
  expect(stderr).toContain("--world must be A, B, C, D, E, F, G, H, I, J or K, not 'Z'");
});

test.each([
  ['--buying', []],
  ['--world', ['B']],
])('--attacks excludes %s', async (flag, values) => {
  const { status, stderr } = await place.run(['backtest', '--attacks', flag, ...values]);
  expect([status, stderr]).toEqual([2, expect.stringContaining('--attacks takes only --seed')]);
});
