/** Sales from before it was recorded what the units of each lot cost, and what becomes of them. */
import { expect } from 'bun:test';
import { shareOut } from '../../src/domain/kernel/money.ts';
import type { Store } from '../../src/domain/store.ts';

/** Sales by what they cost, and the price and units of each lot as it is by now. */
const sales: readonly {
  costCents: number;
  lots: readonly [priceCents: number, units: number][];
}[] = [
  {
    costCents: 50_01,
    lots: [
      [10_00, 2],
      [30_01, 1],
    ],
  },
  // Prices that were corrected since; the first remainder is the largest of several alike.
  {
    costCents: 100_00,
    lots: [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
  },
  {
    costCents: 50_01,
    lots: [
      [30_00, 2],
      [10_01, 1],
      [0, 3],
    ],
  },
  {
    costCents: 1_000_000_01,
    lots: [
      [999_999_99, 7],
      [1, 1],
    ],
  },
  {
    costCents: 7,
    lots: [
      [0, 2],
      [0, 1],
    ],
  },
  {
    costCents: 0,
    lots: [
      [5_00, 2],
      [5_00, 1],
    ],
  },
  { costCents: 12_34, lots: [[99, 4]] },
];

/** Lots of an account, and the sales that took them; `schema` is a prefix. */
export function oldTakesSql(schema: '' | 'private.'): string {
  const no = schema === '' ? '0' : 'false';
  const yes = schema === '' ? '1' : 'true';
  const lots: string[] = [];
  const takes: string[] = [];
  const sold = sales.map(({ costCents, lots: taken }, index) => {
    const saleId = index + 1;
    for (const [priceCents, units] of taken) {
      const id = lots.length + 1;
      lots.push(`(${id}, 1, 'l${id}', 1, '1', '1', ${units}, 'sealed', ${priceCents},
        '2026-01-02', 'owned', ${units})`);
      takes.push(`(${saleId}, ${id}, ${units})`);
    }
    return `(${saleId}, 1, 's${saleId}', '1', '1', 'sealed', 'ebay', '2026-02-03', 9, 0, 0, 0, 0,
      ${costCents}, '{}')`;
  });
  return `
    INSERT INTO ${schema}account (id, email, email_key, plan, is_operator, created_at)
      VALUES (1, 'ann@example.com', 'ann@example.com', 'reseller', ${no}, 1);
    INSERT INTO ${schema}brickfolio VALUES (1, 1, 'Shelf', NULL, ${yes}, 1);
    INSERT INTO ${schema}lot (id, account_id, source_id, brickfolio_id, set_key, set_number,
      quantity, condition, price_cents, purchase_date, status, sold) VALUES ${lots.join()};
    INSERT INTO ${schema}ledger_sale VALUES ${sold.join()};
    INSERT INTO ${schema}ledger_take VALUES ${takes.join()};`;
}

/** The cost of each sale is divided by what its lots cost now, to the cent. */
export async function expectTakeCosts({ accounts }: Store): Promise<void> {
  const recorded = await accounts.listRecordedSales(1, { after: 0, limit: sales.length });
  expect(recorded.map(({ settled }) => settled.takes.map(({ costCents }) => costCents))).toEqual(
    sales.map(({ costCents, lots }) => {
      const prices = lots.map(([priceCents, units]) => priceCents * units);
      return shareOut(costCents, prices);
    }),
  );
}
