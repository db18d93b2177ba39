/**
 * Real responses of Keepa, compared with an independent calculation from the same files. Their
 * products are not sets, so the catalog gets sets with their barcodes. The files are not part of
 * this project; without them this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RetailRow } from '../../src/contract/retail.ts';
import { keepa } from '../../src/ingest/market/keepa.work.ts';
import { importRows } from '../../src/ingest/runner/import.work.ts';
import { netFbaCents } from '../../src/market/fees/fba.ts';
import { readOptions } from '../support/read-options.ts';
import { startWorld, type World } from '../support/world.ts';

const folder = resolve(import.meta.dir, '../../../shared/data/keepa_samples');
const single = join(folder, 'keepa-product_B0D8W1YVBX.json');
const several = join(folder, 'products_multi_asin_full_history_sanitized.json');
const handMade = join(folder, 'product_history_B001GZ6QEC.json');
const tokens = join(folder, 'token_status.json');

interface Product {
  readonly asin: string;
  readonly csv: readonly (readonly number[] | null)[];
  readonly eanList?: readonly string[];
  readonly lastUpdate?: number;
}

const boxOfSets = { widthIn: 8, heightIn: 6, depthIn: 2, weightLbs: 0.7 };

describe.skipIf(!existsSync(folder))('real answers of Keepa', () => {
  let world: World;
  let key: string;

  beforeEach(async () => {
    world = await startWorld();
    await world.addAccount('me@example.com');
    key = await world.addKey('me@example.com');
  });
  afterEach(() => world.close());

  async function load(...paths: string[]) {
    const rows = keepa.read(paths, readOptions({ store: world.store }));
    const report = await importRows(rows, {
      ...world.store,
      clock: () => world.now,
      onReject: () => {},
    });
    await world.publisher.publishStale();
    return report;
  }

  async function retailRow(number: string): Promise<RetailRow> {
    const answer = await world.call(`/retail-prices?set=${number}`, key);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: RetailRow }).data;
  }

  const box = { width_in: 8, height_in: 6, depth_in: 2, weight_lbs: 0.7 };
  const asSet = (number: string, ean: string) => ({
    kind: 'set',
    set_number: number,
    title: `Set ${number}`,
    theme: 'Coastline',
    ean,
    box,
  });

  test('each is published with the numbers of an independent calculation', async () => {
    const products = productsOf(several);
    await world.load(products.map(({ eanList }, i) => asSet(`1048${i}`, eanList?.[0] ?? '')));
    const report = await load(several);
    expect(report.rejected).toBe(0);
    expect(report.added).toBe(report.read);
    for (const [index, product] of products.entries()) {
      const hand = byHand(product, world.now);
      const row = await retailRow(`1048${index}`);
      expect(row.asin).toBe(product.asin);
      expect(row.retailer_a).toEqual(hand.priceBlock);
      expect(row.retailer_aExit).toEqual(hand.exit);
      expect(row.retailer_b.price).toBeNull();
    }
    // Values read from the files by eye, in case the calculation has the same error.
    expect((await retailRow('10480')).retailer_a).toEqual({
      price: 14.99,
      sellerType: 'third_party',
      lastChange: -5,
      lowest: 14.99,
      atLowest: true,
      changedAt: '2026-04-27T07:46:00.000Z',
      flip1pTo3p: false,
      inStock: true,
    });
    expect((await retailRow('10481')).retailer_a).toEqual({
      price: 25.99,
      sellerType: 'third_party',
      lastChange: null,
      lowest: 25.99,
      changedAt: null,
      flip1pTo3p: false,
      atLowest: false,
      inStock: true,
    });
  });

  test('importing the same data again from any file changes nothing', async () => {
    const [first, second] = productsOf(several);
    const sets = [asSet('10480', first?.eanList?.[0] ?? ''), asSet('10481', '0747474801770')];
    await world.load(sets);
    expect(second?.eanList).toContain('0747474801770');
    const before = await load(several);
    const again = await load(several, single);
    expect(again).toMatchObject({ added: 0, updated: 0, rejected: 0 });
    expect(again.unchanged).toBeGreaterThan(before.added);
  });

  test('they are rejected with a reason if no set matches', async () => {
    const report = await load(several);
    expect(report).toMatchObject({ read: 2, added: 0, rejected: 2 });
    const reasons = report.rejects.map(({ reason }) => reason);
    expect(reasons[0]).toContain("no set has the barcode 8809875456477; its brand is 'EQQUALB");
    expect(reasons[1]).toContain('no set has the barcode 747474801770 or 0747474801770');
  });

  test('a folder is read completely: a file without products is one rejected row', async () => {
    await world.load([asSet('10480', '8809875456477')]);
    const report = await load(folder);
    expect(report.added).toBe(238);
    expect(report.rejects.map(({ where, reason }) => `${where}: ${reason}`)).toEqual([
      `${handMade}#1: it has no barcode; it has no brand, so its model and title are ignored`,
      expect.stringContaining(`${several}#2: no set has the barcode`),
      `${tokens}#1: this is Keepa's token status (42 left), without products`,
    ]);
    await expect(load(tokens)).rejects.toThrow('token status (42 left), without products.');
  });

  test('a history with offers of the retailer itself also matches the calculation', async () => {
    const [product] = productsOf(handMade);
    const path = join(world.folder, 'named.json');
    writeFileSync(path, JSON.stringify({ ...product, eanList: ['5702016176360'] }));
    await world.load([asSet('10480', '5702016176360')]);
    expect(await load(path)).toMatchObject({ read: 5, added: 5 });
    expect((await retailRow('10480')).retailer_a).toEqual({
      price: 10.99,
      sellerType: 'retailer',
      lastChange: -2,
      lowest: 10.99,
      atLowest: true,
      changedAt: '2022-06-01T16:00:00.000Z',
      flip1pTo3p: false,
      inStock: true,
    });
  });
});

function productsOf(path: string): Product[] {
  return JSON.parse(readFileSync(path, 'utf8')).products;
}

/** The minute of an entry, and its price with shipping, or -1. */
function entries(product: Product, index: number, width: number): (readonly [number, number])[] {
  const list = product.csv[index] ?? [];
  return Array.from({ length: list.length / width }, (_, i) => {
    const [minute = 0, price = -1, shipping = 0] = list.slice(i * width, (i + 1) * width);
    return [minute, price < 0 ? -1 : price + Math.max(0, shipping)] as const;
  });
}

/** Assumes that only third parties ever sold these products, and checks it. */
function byHand(product: Product, now: number) {
  const buyBox = entries(product, 18, 3);
  const lowestNew = entries(product, 1, 2);
  expect(entries(product, 0, 2).map(([, price]) => price)).toEqual([-1]);
  const upTo = (list: (readonly [number, number])[], minute: number) =>
    list.findLast(([at]) => at <= minute)?.[1] ?? -1;
  const minutes = [...buyBox, ...lowestNew].map(([minute]) => minute).sort((a, b) => a - b);
  const prices = minutes
    .map((minute) => {
      const inBuyBox = upTo(buyBox, minute);
      return { minute, price: inBuyBox >= 0 ? inBuyBox : upTo(lowestNew, minute) };
    })
    .filter(({ price }) => price >= 0);
  const amounts = prices.map(({ price }) => price);
  const current = amounts.at(-1) ?? -1;
  const change = prices.findLast(({ price }, i) => i > 0 && price !== prices[i - 1]?.price);
  const before = change && prices[prices.indexOf(change) - 1]?.price;
  const fba = upTo(entries(product, 10, 2), 1e9);
  const box = upTo(buyBox, 1e9);
  return {
    priceBlock: {
      price: current / 100,
      sellerType: 'third_party' as const,
      changedAt: change
        ? new Date(Date.UTC(2011, 0, 1) + change.minute * 60_000).toISOString()
        : null,
      lastChange: change && before !== undefined ? (change.price - before) / 100 : null,
      flip1pTo3p: false,
      atLowest: current === Math.min(...amounts) && current < Math.max(...amounts),
      lowest: Math.min(...amounts) / 100,
      inStock: true,
    },
    exit: {
      // Fees follow our own rule, for the box that the set was given.
      netFba: box < 0 ? null : (netFbaCents(box, boxOfSets, now) ?? 0) / 100,
      lowestFba: fba < 0 ? null : fba / 100,
      fbaSellers: upTo(entries(product, 34, 2), 1e9),
      buyBox: box < 0 ? null : box / 100,
    },
  };
}
