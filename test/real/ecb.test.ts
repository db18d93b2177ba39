/**
 * Real exchange rates of the ECB. The file is not part of this project; without it this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ecb } from '../../src/ingest/market/ecb.work.ts';
import type { LocatedRow } from '../../src/ingest/runner/located-row.ts';
import { readOptions } from '../support/read-options.ts';

const path = resolve(import.meta.dir, '../../../shared/data/exchange_rates/eurofxref-hist.csv');

describe.skipIf(!existsSync(path))('real rates', () => {
  test('are all imported, without discontinued currencies', async () => {
    const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n');
    const cells = lines.flatMap((line) => line.trim().split(',').slice(1));
    const expected = cells.filter((cell) => cell !== 'N/A' && cell !== '').length;

    const rows: LocatedRow[] = [];
    for await (const group of ecb.read([path], readOptions()))
      rows.push(...(group as LocatedRow[]));
    expect(rows.filter(({ result }) => 'reason' in result)).toEqual([]);
    // Rates are per euro, so EUR takes the place of the USD column.
    expect(rows.length).toBe(expected);

    const rates = rows.flatMap(({ result }) =>
      'row' in result && result.row.kind === 'fx' ? [result.row.rate] : [],
    );
    const on = (day: string, currency: string) =>
      rates.find((rate) => rate.date === day && rate.currency === currency)?.usdPerUnit;
    expect(on('2022-11-10', 'EUR')).toBe(0.9954);
    expect(on('2022-11-10', 'GBP')).toBeCloseTo(1.14023, 5);
    expect(on('2022-11-10', 'JPY')).toBeCloseTo(0.00684265, 8);
    expect(on('2022-11-10', 'RUB')).toBe(undefined);
    expect(on('2022-01-03', 'RUB')).toBeCloseTo(0.0134329, 7);
    expect(header).toContain('EEK');
    expect(rates.some(({ currency }) => ['EEK', 'TRL', 'USD'].includes(currency))).toBe(false);
  });
});
