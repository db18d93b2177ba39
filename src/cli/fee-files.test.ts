/** Tables in the data folder replace the built-in ones; errors name the file and position. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInFees } from '../market/fees/fee-table.ts';
import builtInTable from '../market/fees/fees.json' with { type: 'json' };
import { builtInPostage } from '../market/fees/postage.ts';
import { readFeeTables } from './fee-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-fees-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('without files, the built-in tables are used', () => {
  expect(readFeeTables(folder)).toEqual({ fees: builtInFees, postage: builtInPostage });
});

test('a file in the data folder replaces them', () => {
  writeFileSync(join(folder, 'fees.json'), JSON.stringify({ ...builtInTable, platforms: [] }));
  expect(readFeeTables(folder).fees).toEqual({ ...builtInFees, rows: [] });
});

test('an invalid file is rejected with its name and the position', () => {
  const path = join(folder, 'fees.json');
  writeFileSync(path, '{"sales_tax_percent": "7.5"}');
  expect(() => readFeeTables(folder)).toThrow(`'${path}': The fee table`);
  writeFileSync(path, '{"sales_tax_percent": ');
  expect(() => readFeeTables(folder)).toThrow(`'${path}': JSON`);
});
