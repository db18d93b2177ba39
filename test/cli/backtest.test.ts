/** `backtest`, typed: the same figures each time, and figures that can be true. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

interface Report {
  readonly scored: number;
  readonly noiseFloor: number;
  readonly methods: {
    readonly name: string;
    readonly accuracy: { readonly count: number; readonly saleError: number };
    readonly saleErrorInterval: { readonly low: number; readonly high: number };
  }[];
}

test('the same seed gives the same figures, and no method beats the truth', async () => {
  const run = () => place.run(['backtest', '--seed', '7', '--sets', '60', '--json']);
  const [first, second] = await Promise.all([run(), run()]);
  expect([first.status, second.status]).toEqual([0, 0]);
  expect(second.stdout).toBe(first.stdout);
  const report = JSON.parse(first.stdout) as Report;
  expect(report.scored).toBeGreaterThan(200);
  for (const { accuracy, saleErrorInterval } of report.methods) {
    expect(accuracy.count).toBeGreaterThan(150);
    expect(accuracy.saleError).toBeGreaterThan(report.noiseFloor);
    expect(saleErrorInterval.low).toBeLessThanOrEqual(accuracy.saleError);
    expect(saleErrorInterval.high).toBeGreaterThanOrEqual(accuracy.saleError);
  }
  const error = (name: string) => report.methods.find((m) => m.name === name)?.accuracy.saleError;
  expect(error('baseline-1')).toBeLessThan(error('last sale') ?? 0);
});

test('the table names every method and what it was measured on', async () => {
  const { status, stdout } = await place.run(['backtest', '--sets', '20']);
  expect(status).toBe(0);
  for (const name of ['MSRP', 'mean of 180 days', 'baseline-1', 'Seed 23, 20 sets']) {
    expect(stdout).toContain(name);
  }
});

test.each([
  ['--sets', '0'],
  ['--sets', '1e3'],
  ['--sets', '99999999'],
  ['--seed', 'x'],
])('%s %s is wrong usage', async (flag, value) => {
  const { status, stderr } = await place.run(['backtest', flag, value]);
  expect(status).toBe(2);
  expect(stderr).toContain(`${flag} must be a whole number`);
});
