/** The CSV of a tax year: all sales, oldest first, with a row for each lot of a sale. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aLedgerSale, anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { applyRows, rowsOf } from '../../../test/support/own-rows.ts';
import type { Store } from '../../store/store.ts';
import type { PrivateRow } from '../lots/private-rows.ts';
import { taxYearCsv } from './sales-csv.work.ts';

const at = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let accountId: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-taxes-'));
    store = await open(folder);
    accountId = (await store.accounts.addAccount(anAccount({ email, plan: 'free', at })))?.id ?? 0;
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sale = (sourceId: string, saleDate: string): PrivateRow => ({
    email,
    kind: 'ledger_sale',
    facts: aLedgerSale({ sourceId, saleDate, costCents: 4_00 }),
  });

  /** Records sales on these days; returns the days and IDs in the order of the CSV. */
  async function table(days: readonly string[]): Promise<[day: string, id: number][]> {
    await applyRows(
      store.accounts,
      days.map((day, index) => sale(`s${index}`, day)),
      at,
    );
    const csv = (await Array.fromAsync(taxYearCsv(store, accountId, '2026'))).join('');
    expect(csv).toEndWith('\r\n');
    return csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(',')[0] ?? '', Number(line.split(',').at(-4))]);
  }

  test('sales are listed from the first day of the year to the last', async () => {
    const days = ['2026-06-01', '2026-12-31', '2025-12-31', '2026-01-01', '2027-01-01'];
    const listed = (await table(days)).map(([day]) => day);
    expect(listed).toEqual(['2026-01-01', '2026-06-01', '2026-12-31']);
  });

  test('a year with more sales than one page has each of them once, in order', async () => {
    const days = Array.from({ length: 2001 }, (_, index) =>
      new Date(Date.UTC(2026, 0, 1 + (index % 365))).toISOString().slice(0, 10),
    );
    const listed = await table(days);
    expect(new Set(listed.map(([, id]) => id)).size).toBe(days.length);
    expect(listed.map(([day]) => day)).toEqual([...days].sort());
  });

  test('a sale has a row for each lot, with its purchase, term and cost', async () => {
    const { brickfolio, lot, sale: sell } = rowsOf(email);
    await applyRows(
      store.accounts,
      [
        brickfolio('Shelf'),
        lot('new', { quantity: 2, purchaseDate: '2026-02-02', priceCents: 20_00 }),
        lot('old', { quantity: 1, purchaseDate: '2025-05-05', priceCents: 10_01 }),
        sell('both', { quantity: 3, saleDate: '2026-05-06', grossCents: 100_00 }),
        // The price is corrected later; the cost of the sale stays frozen.
        lot('new', { quantity: 2, purchaseDate: '2026-02-02', priceCents: 30_00 }),
      ],
      at,
    );
    const csv = (await Array.fromAsync(taxYearCsv(store, accountId, '2026'))).join('');
    const [head, ...lines] = csv.trimEnd().split('\r\n');
    expect(head).toEndWith(',purchase_date,sale_id,term,lot_id,minifig_number');
    expect(lines).toEqual([
      '2026-05-06,1,1,ebay,1,33.33,0.33,0.67,1.00,31.33,10.01,21.32,2025-05-05,1,long,2,',
      '2026-05-06,1,1,ebay,2,66.67,0.67,1.33,2.00,62.67,40.00,22.67,2026-02-02,1,short,1,',
    ]);
  });
});
