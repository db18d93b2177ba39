/**
 * Batches of private rows have the same results on both engines, and as their rows one by one:
 * outcomes, reasons, ids and holdings.
 */
// @runs PostgreSQL, PostgreSQL 17: compares it with SQLite

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { aBrickfolio, aLedgerSale, aLot, anAccount } from '../../../test/support/builders.ts';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import { applyRows } from '../../../test/support/own-rows.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import type { RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import { givenClock } from '../sql/clock.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import type { Store } from '../store.ts';
import { postgresAccounts } from './accounts.ts';
import { type Client, openClient } from './client.ts';

const now = Date.UTC(2026, 10, 15, 12);
const page = { brickfolioId: null, limit: 250, offset: 0 };

type Accounts = ReturnType<typeof postgresAccounts>;

/** Few names, so that rows collide. The last one has a lone surrogate. */
const shelves = ['a', `b,"{}\\'`, 'é\ud800'];
const brickfolioNames = fc.constantFrom(...shelves, ...shelves, 'not there');
const names = fc.constantFrom(...shelves, ...'cdefghijkl');
const dates = fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-03');
const sets = fc.constantFrom('1', '1', '1', '2-1');
const conditions = fc.constantFrom(...(['sealed', 'sealed', 'used'] as const));
const mostlyNull = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });
const fees = fc.record({
  grossCents: fc.integer({ min: 0, max: 9 }),
  platformFeesCents: fc.constant(1),
  paymentFeesCents: fc.constant(2),
  shippingCents: fc.constant(3),
});

const brickfolios = fc.record({
  kind: fc.constant('brickfolio' as const),
  facts: fc
    .record({
      name: brickfolioNames,
      description: fc.option(fc.constantFrom('x', 'NULL', '')),
      isDefault: fc.boolean(),
    })
    .map(aBrickfolio),
});
const holdings = fc.record({
  kind: fc.constant('holding' as const),
  facts: fc
    .record({
      sourceId: names,
      brickfolio: brickfolioNames,
      number: sets,
      condition: conditions,
      quantity: fc.integer({ min: 1, max: 4 }),
      priceCents: fc.integer({ min: 0, max: 3 }),
      purchaseDate: dates,
      status: fc.constantFrom('owned' as const, 'listed' as const),
      isEstimated: fc.boolean(),
      dateBasis: fc.constantFrom('known' as const, 'assumed' as const, 'unknown' as const),
    })
    .map(aLot),
});
const sales = fc.tuple(
  fees,
  fc.record({
    sourceId: names,
    number: sets,
    condition: conditions,
    saleDate: dates,
    platform: fc.constantFrom('ebay' as const, 'local' as const),
    quantity: fc.integer({ min: 1, max: 3 }),
    costCents: mostlyNull(fc.integer({ min: 0, max: 5 })),
    lot: mostlyNull(names),
  }),
);
const ledger = sales.map(([money, facts]) => {
  return { kind: 'ledger_sale' as const, facts: aLedgerSale({ ...facts, ...money }) };
});
const batches = fc.array(
  fc.array(
    fc.tuple(
      fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 2),
      fc.oneof(brickfolios, holdings, holdings, holdings, ledger, ledger, ledger),
    ),
    { minLength: 1, maxLength: 25 },
  ),
  { minLength: 1, maxLength: 6 },
);

type Row<T> = T extends PrivateRow ? Pick<T, 'kind' | 'facts'> : never;
/** Rows, each with the index of its account. */
type Batch = readonly (readonly [number, Row<PrivateRow>])[];

describe.skipIf(!isPostgres)('private rows on PostgreSQL and on SQLite', () => {
  let folder: string;
  let sqlite: Store;
  let oneByOne: Store;
  let client: Client;
  let postgres: Accounts;
  let rounds = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-alike-'));
    sqlite = openSqliteStore(join(folder, 'batches'));
    oneByOne = openSqliteStore(join(folder, 'one-by-one'));
    const url = (await databaseOf(folder)) ?? '';
    client = openClient(url, { max: 2, statementMs: 0, name: 'alike' });
    postgres = postgresAccounts(client, givenClock);
  });

  afterAll(async () => {
    await sqlite.close();
    await oneByOne.close();
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Everything visible of an account's data; lists without an order are sorted. */
  async function seen(accounts: Accounts, id: number) {
    const inOrder = <T extends object>(rows: readonly T[]) =>
      rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    const { brickfolios, stakes, purchases } = await accounts.findHoldings(id, null);
    const [first] = brickfolios;
    return {
      brickfolios,
      purchases,
      stakes: inOrder(stakes),
      entries: await accounts.listEntries(id, page),
      firstEntries: await accounts.listEntries(id, { ...page, brickfolioId: first?.id ?? 0 }),
      positions: await accounts.listPositions(id, { kind: 'set', after: '', limit: 1_000 }),
      sales: await accounts.listSales(id, page),
      results: inOrder(await accounts.listSaleResults(id)),
      costs: inOrder(await accounts.listHeldCosts(id, 'set')),
      costsAmong: inOrder(await accounts.listHeldCosts(id, 'set', ['2', '1', '1'])),
    };
  }

  /** Applies batches to two new accounts; returns the outcomes and the resulting data. */
  async function play(accounts: Accounts, given: readonly Batch[]) {
    const emails = [0, 1].map((n) => `p${n}-${rounds}@example.com`);
    const ids: number[] = [];
    for (const email of emails) {
      ids.push((await accounts.addAccount(anAccount({ email, plan: 'free', at: now })))?.id ?? 0);
    }
    const results: unknown[] = [ids];
    for (const email of emails) {
      const facts = shelves.map((name) => aBrickfolio({ name }));
      await applyRows(
        accounts,
        facts.map((fact) => ({ email, kind: 'brickfolio', facts: fact })),
        now,
      );
    }
    for (const [index, batch] of given.entries()) {
      const rows = batch.map(([n, row]): PrivateRow => {
        const email = ` ${emails[n]?.toUpperCase() ?? 'nobody@example.com'}`;
        return { ...row, email };
      });
      // Rows of an account are applied together, before those of the next one.
      const ordered = [...Map.groupBy(rows, ({ email }) => email).values()].flat();
      const parts = accounts === oneByOne.accounts ? ordered.map((row) => [row]) : [ordered];
      const outcomes: RowOutcome[] = [];
      for (const part of parts) outcomes.push(...(await applyRows(accounts, part, now + index)));
      results.push(outcomes);
    }
    for (const id of ids) results.push(await seen(accounts, id));
    return results;
  }

  test('the same rows have the same outcomes and results', async () => {
    const alike = fc.asyncProperty(batches, async (given) => {
      rounds++;
      const batches = await play(sqlite.accounts, given);
      expect(await play(postgres, given)).toEqual(batches);
      expect(await play(oneByOne.accounts, given)).toEqual(batches);
    });
    // No shrinking: after a difference, the engines continue with different ids.
    const numRuns = Number(process.env.INGEST_RUNS ?? runsOnEngine(100));
    await fc.assert(alike, { seed: 7, numRuns, endOnFailure: true });
  });

  test('a sale finds the oldest lots even after other rows of its batch have changed lots', async () => {
    const lot = (n: number, number: string) => {
      const bought = { purchaseDate: `2026-01-0${n}`, quantity: 1, priceCents: n };
      const facts = aLot({ sourceId: `${n}`, brickfolio: 'a', number, ...bought });
      return { kind: 'holding' as const, facts };
    };
    const sale = (sourceId: string) => {
      return { kind: 'ledger_sale' as const, facts: aLedgerSale({ sourceId, grossCents: 9 }) };
    };
    const own = (rows: readonly Batch[number][1][]): Batch => rows.map((row) => [0, row]);
    rounds++;
    const given = [
      own([1, 2, 3, 4, 5, 6].map((n) => lot(n, '1'))),
      own([lot(1, '2'), lot(2, '2'), sale('x'), lot(4, '2'), sale('y')]),
    ];
    const told = await play(postgres, given);
    expect(told).toEqual(await play(sqlite.accounts, given));
    expect(told).toEqual(await play(oneByOne.accounts, given));
    const results = (told.at(-2) as Awaited<ReturnType<typeof seen>>).sales.rows;
    expect(results.map((row) => row.costCents)).toEqual([3, 5]);
  });
});
