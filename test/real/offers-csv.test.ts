/**
 * A real price list of French shops for twenty sets, in euros. The file is not part of this
 * project; without it this is skipped. Most exchange rates are invented, one per month.
 */
// @runs SQLite (rest): reads files of other services
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RetailRow } from '../../src/contract/retail.ts';
import { ecb } from '../../src/ingest/market/ecb.work.ts';
import { offersCsv } from '../../src/ingest/market/offers-csv.work.ts';
import { importRows } from '../../src/ingest/runner/import.work.ts';
import { readOptions } from '../support/read-options.ts';
import { onTables } from '../support/tables.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

const path = resolve(
  import.meta.dir,
  '../../../shared/data/retailer_prices_france_2025-2026/prix_lego.csv',
);

const mapping = {
  columns: { set: 'id_set', price: 'prix', date: 'date', shop: 'site', url: 'url' },
  constants: { currency: 'EUR', seller: 'retailer', stock: true },
  shops: { Amazon: 'retailer_a', Lego: 'retailer_b', '*': 'leave out' },
  time_zone: 'Europe/Paris',
  junk: ['9999.00'],
};

const monthlyRate = (month: number) => 1.05 + month / 100;
/** On every fifth day; the same in all of a month. */
const rates: FeedLine[] = Array.from({ length: 20 * 6 }, (_, index) => ({
  kind: 'fx',
  currency: 'EUR',
  usd_per_unit: monthlyRate(Math.floor(index / 6)),
  date: new Date(Date.UTC(2025, Math.floor(index / 6), 1 + 5 * (index % 6)))
    .toISOString()
    .slice(0, 10),
}));

interface Line {
  readonly date: string;
  readonly set: string;
  readonly site: string;
  readonly price: number;
}

/**
 * Reads the file independently; quoted titles contain commas, so lines are parsed from their ends.
 */
function readLines(): Line[] {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [date = '', set = ''] = line.split(',');
    const [site = '', price = ''] = line.trimEnd().split(',').slice(-3);
    return { date, set, site, price: Number(price) };
  });
}

describe.skipIf(!existsSync(path))('real prices of shops', () => {
  const lines = existsSync(path) ? readLines() : [];
  const sets = [...new Set(lines.map(({ set }) => set))];
  const ofShop = (site: string) => lines.filter((line) => line.site === site);
  let world: World;

  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.close());

  async function load(shops: object = mapping.shops) {
    const mappingPath = join(world.folder, 'mapping.json');
    writeFileSync(mappingPath, JSON.stringify({ ...mapping, shops }));
    const options = readOptions({ store: world.store, settings: { mapping: mappingPath } });
    return importRows(offersCsv.read([path], options), {
      ...world.store,
      clock: () => world.now,
      onReject: () => {},
    });
  }

  const catalog = sets.map((number) => ({
    kind: 'set',
    set_number: number,
    title: `Set ${number}`,
    theme: 'Coastline',
  }));

  test('the two selected shops are imported, and each of their rows is accounted for', async () => {
    await world.load([...catalog, ...rates]);
    const wanted = [...ofShop('Amazon'), ...ofShop('Lego')];
    const junk = wanted.filter(({ price }) => price === 9999);
    expect(wanted).toHaveLength(3200);
    const report = await load();
    expect(report).toMatchObject({ read: 3200, added: 3200 - junk.length });
    expect(report.rejected).toBe(junk.length);
    expect(await load()).toMatchObject({ added: 0, updated: 0, unchanged: 3200 - junk.length });
  });

  test('an implausible price is rejected, and unexpected shops by name', async () => {
    await world.load([...catalog, ...rates]);
    const shop = lines.find(({ price }) => price === 9999)?.site ?? '';
    const report = await load({ [shop]: 'retailer_b' });
    expect(report.read).toBe(lines.length);
    expect(report.added).toBe(ofShop(shop).length - 1);
    expect(report.rejects[0]?.reason).toContain("is not among 'shops' in the mapping");
    const only = await load({ [shop]: 'retailer_b', '*': 'leave out' });
    expect(only.rejects.map(({ reason }) => reason)).toEqual([
      "'prix' is 9999, which the mapping lists as junk",
    ]);
  });

  test('prices are converted to dollars at the rate of their day', async () => {
    await world.load([...catalog, ...rates]);
    await load();
    await world.publisher.publishStale();
    await world.addAccount('me@example.com');
    const key = await world.addKey('me@example.com');
    const number = '42222';
    const answer = await world.call(`/retail-prices?set=${number}`, key);
    const { data } = (await answer.json()) as { data: RetailRow };
    for (const [site, block] of [
      ['Amazon', data.retailer_a] as const,
      ['Lego', data.retailer_b] as const,
    ]) {
      const usd = ofShop(site)
        .filter((line) => line.set === number)
        .map(({ date, price }) => {
          const month = (Number(date.slice(0, 4)) - 2025) * 12 + Number(date.slice(5, 7)) - 1;
          return Math.round(Math.round(price * 100) * monthlyRate(month)) / 100;
        });
      expect(block.price).toBe(usd.at(-1) ?? null);
      expect(block.lowest).toBe(Math.min(...usd));
      expect(block.sellerType).toBe('retailer');
    }
  });

  test('without a set, rows are rejected with the reason', async () => {
    await world.load([...catalog.slice(1), ...rates]);
    const { rejected, rejects } = await load();
    expect(rejects[0]?.reason).toBe(`set '${sets[0]}' is not in the catalog`);
    const [first] = sets;
    const wanted = [...ofShop('Amazon'), ...ofShop('Lego')];
    expect(rejected).toBe(wanted.filter(({ set }) => set === first).length);
  });
});

const ratesFolder = resolve(import.meta.dir, '../../../shared/data/exchange_rates');
const oldRates = join(ratesFolder, 'eurofxref-hist.csv');
const newRates = join(ratesFolder, 'eurofxref-hist_2014_to_2026-03.csv');
const hasAll = [path, oldRates, newRates].every((file) => existsSync(file));

describe.skipIf(!hasAll)('real prices and real rates', () => {
  /** Imports in the given order into a new store; returns what is published, and what waits. */
  async function outcome(order: readonly ('prices' | 'old rates' | 'new rates')[]) {
    const world = await startWorld();
    try {
      const numbers = [...new Set(readLines().map(({ set }) => set))];
      const named = { title: 'Set', theme: 'Coastline' };
      await world.load(numbers.map((number) => ({ kind: 'set', set_number: number, ...named })));
      const mappingPath = join(world.folder, 'mapping.json');
      writeFileSync(mappingPath, JSON.stringify(mapping));
      const options = readOptions({ store: world.store, settings: { mapping: mappingPath } });
      const sources = {
        prices: offersCsv.read([path], options),
        'old rates': ecb.read([oldRates], options),
        'new rates': ecb.read([newRates], options),
      };
      const waiting: number[] = [];
      for (const name of order) {
        const target = { ...world.store, clock: () => world.now, onReject: () => {} };
        await importRows(sources[name], target);
        await world.publisher.publishStale();
        const [euros] = await world.store.market.listWaiting();
        waiting.push(euros?.count ?? 0);
      }
      const rows = await onTables<object>(
        world.folder,
        'SELECT item_id, body, months FROM retail ORDER BY item_id',
      );
      return { waiting, rows };
    } finally {
      await world.close();
    }
  }

  test('prices wait for rates of their days, and the order of files does not matter', async () => {
    const late = await outcome(['prices', 'old rates', 'new rates']);
    const wanted = readLines().filter(({ site }) => site === 'Amazon' || site === 'Lego');
    // The old rates end three years before the first price, the new ones on March 5, 2026.
    const uncovered = wanted.filter(({ date }) => date >= '2026-03-13').length;
    expect(late.waiting).toEqual([wanted.length, wanted.length, uncovered]);
    const early = await outcome(['old rates', 'new rates', 'prices']);
    expect(early.waiting).toEqual([0, 0, uncovered]);
    expect(early.rows).toEqual(late.rows);
    expect(late.rows.length).toBeGreaterThan(10);
  });
});
