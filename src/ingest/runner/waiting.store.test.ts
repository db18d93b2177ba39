/**
 * Amounts in other currencies: in whatever order rows and exchange rates arrive, the store ends up
 * the same; rows without a rate wait, and are counted.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  anImport,
  anOffer,
  aPublishedItem,
  aSale,
  setRow,
} from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { onTablesEach } from '../../../test/support/tables.ts';
import { dayMs } from '../../kernel/time.ts';
import type { ItemInputs, RetailInputs } from '../../market/published/publishing.ts';
import { foldOffers, type RetailStates } from '../../market/retail/retail-state.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import { type Offer, retailers, type Sale } from '../../market/source-rows/source-rows.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-waiting-'));
  store = await openTestStore(folder);
  await store.market.applyRows([setRow('1'), setRow('2')], now);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const sale = (sourceId: string, facts: Partial<Sale>): MarketRow => ({
  kind: 'sale',
  sale: aSale({ itemKey: '1', sourceId, currency: 'EUR', ...facts }),
});
const offer = (facts: Partial<Offer>): MarketRow => ({
  kind: 'offer',
  offer: anOffer({
    setKey: '1',
    currency: 'EUR',
    sellerType: 'retailer',
    inStock: true,
    ...facts,
  }),
});
const rate = (currency: string, date: string, usdPerUnit: number): MarketRow => ({
  kind: 'fx',
  rate: { currency, date, usdPerUnit },
});

const apply = (rows: readonly MarketRow[], importId: number | null = null) =>
  store.market.applyRows(rows, now, importId);

/** Marks everything as published, and stores the states of retailers like publishing does. */
async function publish(): Promise<void> {
  const ids = await store.market.listStale(0, 99);
  const inputs = await store.market.loadInputs(ids, { at: now, withSeries: false });
  const items = inputs.map(({ id, version, retail }) => {
    const newStates = Object.values(statesOf(retail)).filter((state) => state !== null);
    const keys = { asinKey: null, upcKey: null, eanKey: null, changedAt: null };
    const months = { retailer_a: [], retailer_b: [] };
    return aPublishedItem({ id, version, retail: { ...keys, body: '{}', months, newStates } });
  });
  await store.market.publish(items);
}

function statesOf(retail: ItemInputs['retail']): RetailStates {
  const fold = ({ kept, offers }: RetailInputs) => foldOffers(kept, offers);
  return { retailer_a: fold(retail.retailer_a), retailer_b: fold(retail.retailer_b) };
}

/** All that values and retail prices are made of. */
async function inputsOf(of: Store = store) {
  const ids = [1, 2];
  const inputs = await of.market.loadInputs(ids, { at: now, withSeries: false });
  return inputs.map(({ sales, retail, retailWeeks }) => {
    return { sales, retailWeeks, states: statesOf(retail) };
  });
}

function tablesOf() {
  return onTablesEach(folder, {
    sales: 'SELECT * FROM sale ORDER BY source, source_id',
    offers: 'SELECT * FROM offer ORDER BY item_id, retailer, observed_at',
    rates: 'SELECT * FROM fx ORDER BY currency, date',
    weeks: 'SELECT * FROM retail_week ORDER BY item_id, week',
    waiting: 'SELECT * FROM waiting ORDER BY currency',
  });
}

const firstDay = Date.UTC(2026, 8, 1);
const anyTime = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 1, dayMs - 1))
  .map(([day, rest]) => firstDay + day * dayMs + rest);
const anyCurrency = fc.constantFrom('USD', 'EUR', 'EUR', 'JPY');

const anySale = fc
  .record({
    itemKey: fc.constantFrom('1', '2'),
    sourceId: fc.constantFrom(...'abcdefgh'),
    currency: anyCurrency,
    soldAt: anyTime,
  })
  .map(({ sourceId, ...facts }) => sale(sourceId, facts));
const anyOffer = fc
  .record({
    setKey: fc.constantFrom('1', '2'),
    retailer: fc.constantFrom(...retailers),
    observedAt: anyTime,
    currency: anyCurrency,
    priceCents: fc.integer({ min: 1_00, max: 9_00 }),
  })
  .map(offer);
const anyRate = fc
  .record({
    currency: fc.constantFrom('EUR', 'JPY'),
    day: fc.integer({ min: -10, max: 40 }),
    usdPerUnit: fc.constantFrom(1.1, 1.2, 0.0065, 1 / 3),
  })
  .map(({ currency, day, usdPerUnit }) => {
    return rate(currency, new Date(firstDay + day * dayMs).toISOString().slice(0, 10), usdPerUnit);
  });

function identityOf(row: MarketRow): string {
  if (row.kind === 'sale') return `sale ${row.sale.sourceId}`;
  if (row.kind === 'fx') return `fx ${row.rate.currency} ${row.rate.date}`;
  return row.kind === 'offer'
    ? `offer ${row.offer.retailer} ${row.offer.setKey} ${row.offer.observedAt}`
    : row.kind;
}

/** Rows with different identities, shuffled, and the places at which to cut them into batches. */
const anyRows = fc
  .uniqueArray(fc.oneof(anySale, anyOffer, anyRate), {
    selector: identityOf,
    minLength: 1,
    maxLength: 24,
    size: 'max',
  })
  .chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      shuffled: fc.shuffledSubarray(rows, { minLength: rows.length }),
      cuts: fc.array(fc.integer({ min: 0, max: rows.length }), { maxLength: 4 }),
    }),
  );

function batchesOf(rows: readonly MarketRow[], cuts: readonly number[]): MarketRow[][] {
  const ends = [0, ...cuts.toSorted((a, b) => a - b), rows.length];
  return ends.slice(1).map((end, index) => rows.slice(ends[index], end));
}

const emptied = ['sale', 'offer', 'fx', 'retail_week', 'retail_state', 'waiting'];
const emptying = Object.fromEntries(emptied.map((table) => [table, `DELETE FROM ${table}`]));

test('the order of rows and rates does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, async ({ rows, shuffled, cuts }) => {
      const outcome = async (batches: readonly (readonly MarketRow[])[]) => {
        await onTablesEach(folder, emptying);
        for (const batch of batches) {
          await apply(batch);
          await publish();
        }
        return [await tablesOf(), await inputsOf()];
      };
      const isRate = ({ kind }: MarketRow) => kind === 'fx';
      const ratesFirst = [rows.filter(isRate), rows.filter((row) => !isRate(row))];
      expect(await outcome(batchesOf(shuffled, cuts))).toEqual(await outcome(ratesFirst));
    }),
    { seed: 11, numRuns: runsOnEngine(60) },
  );
});

const waiting = (currency: string, count: number, firstDate: string, lastDate: string) => ({
  currency,
  count,
  firstDate,
  lastDate,
});

test('rows without a rate of the last seven days wait, and come in with the rate', async () => {
  const day = Date.UTC(2026, 9, 20);
  await apply([rate('EUR', '2026-10-12', 9)]);
  const rows = [sale('a', { soldAt: day, priceCents: 100_00 }), offer({ observedAt: day })];
  expect(await apply(rows)).toEqual([{ kind: 'added' }, { kind: 'added' }]);
  expect(await store.market.listWaiting()).toEqual([waiting('EUR', 2, '2026-10-20', '2026-10-20')]);
  const [before] = await inputsOf();
  expect(before?.sales).toMatchObject([{ priceCents: 100_00, currency: 'EUR', usdPerUnit: 0 }]);
  expect([before?.states.retailer_a, before?.retailWeeks]).toEqual([null, []]);
  // The same rows again change nothing, and still wait.
  expect(await apply(rows)).toEqual([{ kind: 'unchanged' }, { kind: 'unchanged' }]);
  expect((await store.market.listWaiting())[0]?.count).toBe(2);
  await publish();
  await apply([rate('EUR', '2026-10-13', 1.1)]);
  expect(await store.market.listWaiting()).toEqual([]);
  expect(await store.market.listStale(0, 9)).toEqual([1]);
  const [after] = await inputsOf();
  expect(after?.sales).toMatchObject([{ priceCents: 100_00, currency: 'EUR', usdPerUnit: 1.1 }]);
  expect(after?.states.retailer_a?.latest.priceCents).toBe(132_00);
  expect(after?.retailWeeks).toMatchObject([{ priceCents: 132_00 }]);
});

test('a later rate never converts an earlier amount', async () => {
  await apply([sale('a', { soldAt: Date.UTC(2026, 9, 20, 23) }), rate('EUR', '2026-10-21', 1.1)]);
  expect((await store.market.listWaiting())[0]?.count).toBe(1);
});

test('a corrected rate converts again all that it converted', async () => {
  const day = Date.UTC(2026, 9, 20);
  await apply([
    rate('EUR', '2026-10-20', 1.1),
    rate('EUR', '2026-10-21', 1.2),
    sale('a', { soldAt: day }),
    offer({ observedAt: day }),
    offer({ setKey: '2', observedAt: day + dayMs }),
  ]);
  await publish();
  await apply([rate('EUR', '2026-10-20', 2)]);
  expect(await store.market.listStale(0, 9)).toEqual([1]);
  const [first, second] = await inputsOf();
  expect(first?.states.retailer_a?.latest.priceCents).toBe(240_00);
  expect(first?.sales).toMatchObject([{ usdPerUnit: 2 }]);
  expect(first?.retailWeeks).toMatchObject([{ priceCents: 240_00 }]);
  expect(second?.retailWeeks).toMatchObject([{ priceCents: 144_00 }]);
});

test('a sale counts as known from when it and a first rate for it had arrived', async () => {
  const day = Date.UTC(2026, 9, 20);
  const knownAt = async () => (await inputsOf())[0]?.sales.map(({ ingestedAt }) => ingestedAt);
  await store.market.applyRows([sale('a', { soldAt: day })], now);
  expect(await knownAt()).toEqual([now]);
  await store.market.applyRows([rate('EUR', '2026-10-18', 1.1)], now + 5);
  expect(await knownAt()).toEqual([now + 5]);
  // Better rates and corrections do not make it new again.
  await store.market.applyRows([rate('EUR', '2026-10-20', 1.2)], now + 7);
  await store.market.applyRows([rate('EUR', '2026-10-18', 1.3)], now + 8);
  expect(await knownAt()).toEqual([now + 5]);
  await store.market.applyRows([sale('b', { soldAt: day })], now + 9);
  expect(await knownAt()).toEqual([now + 5, now + 9]);
});

test('retracted sales do not wait, and a correction to dollars ends the wait', async () => {
  const days = [20, 21, 22].map((day) => Date.UTC(2026, 9, day));
  await apply(['a', 'b', 'c'].map((id, index) => sale(id, { soldAt: days[index] ?? 0 })));
  expect(await store.market.listWaiting()).toEqual([waiting('EUR', 3, '2026-10-20', '2026-10-22')]);
  await apply([{ kind: 'retract', source: 'shop', sourceId: 'a' }]);
  expect(await store.market.listWaiting()).toEqual([waiting('EUR', 2, '2026-10-21', '2026-10-22')]);
  await apply([
    sale('b', { soldAt: days[1] ?? 0, currency: 'USD' }),
    sale('c', { soldAt: days[2] ?? 0, currency: 'GBP' }),
  ]);
  expect(await store.market.listWaiting()).toEqual([waiting('GBP', 1, '2026-10-22', '2026-10-22')]);
});

test('undoing an import of rates makes its rows wait again; undoing theirs removes them', async () => {
  const day = Date.UTC(2026, 9, 20);
  const empty = await tablesOf();
  const log = () => store.market.logImport(anImport({ startedAt: now, endedAt: now }));
  const [first, second] = [await log(), await log()];
  await apply([sale('a', { soldAt: day }), offer({ observedAt: day })], first);
  const waited = [await tablesOf(), await inputsOf()];
  await apply([rate('EUR', '2026-10-20', 1.1)], second);
  await publish();
  expect(await store.market.undoImport(second, now)).toMatchObject({ removed: 1, restored: 0 });
  expect([await tablesOf(), await inputsOf()]).toEqual(waited);
  expect(await store.market.undoImport(first, now)).toMatchObject({ removed: 2, restored: 0 });
  expect(await tablesOf()).toEqual(empty);
});

test('undoing rows that came in leaves the rates', async () => {
  const day = Date.UTC(2026, 9, 20);
  const id = await store.market.logImport(anImport({ startedAt: now, endedAt: now }));
  await apply([sale('a', { soldAt: day }), offer({ observedAt: day })], id);
  await apply([rate('EUR', '2026-10-20', 1.1)]);
  expect(await store.market.undoImport(id, now)).toMatchObject({ removed: 2 });
  const { sales, offers, rates, weeks, waiting: left } = await tablesOf();
  expect([sales, offers, weeks, left, rates.length]).toEqual([[], [], [], [], 1]);
});
