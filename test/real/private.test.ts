/**
 * Real private files: BrickLink orders as XML and CSV, and a BrickEconomy collection. They are not
 * part of this project; without them this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { detectFormat } from '../../src/ingest/runner/detect.work.ts';
import { addPerson, type Person } from '../support/person.ts';
import { exportedText, importFile, importFiles } from '../support/private-files.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

const folder = resolve(import.meta.dir, '../../../shared/data/collection_exports');
const readFile = (name: string) => readFileSync(join(folder, name), 'utf8');

describe.skipIf(!existsSync(folder))('real files', () => {
  let world: World;
  let ann: Person;

  beforeEach(async () => {
    world = await startWorld();
    ann = await addPerson(world, 'ann@example.com');
  });

  afterEach(() => world.close());

  const load = (email: string, text: string, name: string) =>
    importFile(world.store, { text, name, settings: { account: email }, clock: () => world.now });

  /** Adds the sets in a file to the catalog. */
  const addSets = (sets: readonly FeedLine[]) =>
    world.load(sets.map((set) => ({ kind: 'set', title: 'A set', theme: 'Real', ...set })));

  const addMinifigs = (numbers: readonly string[]) =>
    world.load(
      [...new Set(numbers)].map((minifig_number) => ({
        kind: 'minifig',
        minifig_number,
        name: 'A minifig',
      })),
    );

  async function exported(email: string, format: 'csv' | 'json') {
    const account = await world.store.accounts.findAccount(email, world.now);
    const options = { kind: 'collection', format, accountId: account?.id ?? 0 } as const;
    return exportedText(world.store, options);
  }

  /** All responses about an account, without IDs. */
  async function told(person: Person) {
    const { brickfolios, monthly_periods } = await person.brickfolios();
    const { entries } = await person.entries('?limit=250');
    return {
      brickfolios: brickfolios.map(({ id: _, ...each }) => each),
      monthly_periods,
      entries: entries.map(({ brickfolio_id: _, ...each }) => each),
    };
  }

  /**
   * Importing the export restores the holdings in an empty account, and changes nothing in the
   * same.
   */
  async function expectRoundTrip(lots: number) {
    for (const format of ['csv', 'json'] as const) {
      const text = await exported(ann.email, format);
      const bob = await addPerson(world, `bob.${format}@example.com`);
      const outcome = { added: lots + 1, updated: 0, unchanged: 0, rejects: [] };
      expect(await load(bob.email, text, `own.${format}`)).toEqual(outcome);
      const again = { added: 0, updated: 0, unchanged: lots + 1, rejects: [] };
      expect(await load(ann.email, text, `own.${format}`)).toEqual(again);
      expect(await told(bob)).toEqual(await told(ann));
      expect(await exported(bob.email, format)).toBe(text);
    }
  }

  test('BrickLink orders: XML and CSV give the same lots, and every item is accounted for', async () => {
    const xml = readFile('bricklink_orders_redacted.xml');
    const csv = readFile('bricklink_orders_redacted.csv');
    const items = xml.match(/<ITEM>/g)?.length ?? 0;
    const setItems = [...xml.matchAll(/<ITEMTYPE>S<\/ITEMTYPE>\s*<ITEMID>([^<]*)/g)];
    const figures = [...xml.matchAll(/<ITEMTYPE>M<\/ITEMTYPE>\s*<ITEMID>([^<]*)/g)];
    await addSets([...new Set(setItems.map((match) => match[1]))].map((n) => ({ set_number: n })));
    await addMinifigs(figures.map((match) => match[1] ?? ''));
    const first = await load(ann.email, xml, 'orders.xml');
    expect([items, setItems.length, figures.length, first.added]).toEqual([185, 4, 40, 76]);
    expect(first.rejects).toHaveLength(100);
    expect(first.rejects.every((r) => /is a (part|gear item); only sets/.test(r))).toBe(true);
    const second = await load(ann.email, csv, 'orders.csv');
    expect(second).toMatchObject({ added: 0, updated: 0, unchanged: 76 });
    // The price of ten units is not divisible by ten, so they become two lots.
    const { entries } = await ann.entries();
    const units = entries.map((entry) => [entry.set_number, entry.quantity, entry.purchase_date]);
    expect(units).toEqual([
      ['71025-13', 3, '2025-06-18'],
      ['71025-13', 7, '2025-06-18'],
      ['911719', 1, '2025-06-01'],
      ['911719', 5, '2025-05-31'],
      ['71025-13', 5, '2025-05-31'],
    ]);
    // Each with its share of the postage of an order with other items.
    const paid = entries.map(({ quantity, purchase_price_usd: price }) => quantity * price);
    const [three = 0, seven = 0, ...others] = paid;
    expect([three + seven, ...others].map((usd) => Math.round(100 * usd))).toEqual(paidCents(xml));
    await expectRoundTrip(76);
  });

  test('a collection of minifigs: every row is a lot at its average price', async () => {
    const text = readFile('minifig_collections_pseudonymised_2026-04.csv');
    const numbers = [...text.matchAll(/^\w+,\w+,([^,]+),/gm)].slice(1).map((match) => match[1]);
    await addMinifigs(numbers.map((number) => number ?? ''));
    const loaded = await load(ann.email, text, 'minifigs.csv');
    expect([numbers.length, loaded.added]).toEqual([417, 414]);
    // Without an average, and without a value of their own.
    expect(loaded.rejects.every((r) => /there is no price, and no value of/.test(r))).toBe(true);
    expect(await ann.entries()).toMatchObject({ entries: [] });
    await expectRoundTrip(414);
  });

  test('a BrickEconomy collection: lots at the MSRP, and every row is accounted for', async () => {
    const text = readFile('BrickEconomy-Sets_owned_2026-01.csv');
    const rows = text.trim().split('\n').slice(1);
    const sets = rows.filter((row) => !/^[a-z]/.test(row));
    const retail = (row: string) => Number(/\$?([\d.]+)\s*$/.exec(row)?.[1]) || null;
    await addSets(sets.map((row) => ({ set_number: row.split(',')[0], msrp_usd: retail(row) })));
    const owned = sets.filter((row) => /,[1-9]\d*,\d+,[^,]*$/.test(row.trim()));
    const priced = owned.filter((row) => retail(row) !== null);
    const loaded = await load(ann.email, text, 'economy.csv');
    expect(loaded).toMatchObject({ added: priced.length, updated: 0, unchanged: 0 });
    expect([rows.length, owned.length, priced.length]).toEqual([74, 61, 58]);
    expect(loaded.rejects).toHaveLength(74 - priced.length);
    const reasons = loaded.rejects.map((reject) =>
      reject.replace(/^\d+: /, '').replace(/'[a-z]{2,3}\d{3,4}[a-z]?'/, "'N'"),
    );
    expect([...new Set(reasons.map((reason) => reason.replace(/\d{5,}/, 'N')))].sort()).toEqual([
      "'Owned' is 0, so there is nothing to add",
      "minifig 'N' is not in the catalog",
      'there is no price, and no MSRP of N; use --missing-price zero',
    ]);
    world.now += 5 * 86_400_000;
    expect(await load(ann.email, text, 'economy.csv')).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: priced.length,
    });
    world.now -= 5 * 86_400_000;
    await expectRoundTrip(priced.length);
  });

  test('orders from APIs: items are joined with their order, and each is accounted for', async () => {
    const api = resolve(folder, '../orders_api');
    const files = readdirSync(api).map((name) => join(api, name));
    const found = files.map((path) => detectFormat(path, { isPrivate: true }));
    const formats = (await Promise.all(found)).map((each) => each?.format);
    expect(formats).toEqual(['sales', 'sales', 'sales']);
    const settings = { account: ann.email };
    const load = (sources: Readonly<Record<string, string>>) =>
      importFiles(world.store, { files: sources, settings, clock: () => world.now });
    const texts = Object.fromEntries(
      files.map((path) => [basename(path), readFileSync(path, 'utf8')] as const),
    );
    expect(await load(texts)).toEqual({
      added: 0,
      updated: 0,
      unchanged: 0,
      rejects: [
        'bricklink.order.json#1: the order has no items; import them together with the order',
        "brickowl.items.json#1: 'Brick 2 x 4' is a part; only sets and minifigs can be imported",
        "brickowl.items.json#2: 'Brick 1 x 2' is a part; only sets and minifigs can be imported",
        "brickowl.items.json#3: 'Plate 2 x 4' is a part; only sets and minifigs can be imported",
      ],
    });
    // The same order with a set: 18.00 and 7.50 of shipping.
    await addSets([{ set_number: '7644-1' }]);
    await world.load([
      { kind: 'brickfolio', account: ann.email, name: 'Shelf' },
      {
        kind: 'holding',
        account: ann.email,
        source_id: 'a',
        brickfolio: 'Shelf',
        set_number: '7644-1',
        quantity: 6,
        condition: 'sealed',
        purchase_price_usd: 1,
        purchase_date: '2024-01-01',
      },
    ]);
    const item = { no: '7644-1', type: 'SET' };
    const price = { unit_price: '3.0000', unit_price_final: '3.0000', new_or_used: 'N' };
    const items = JSON.stringify([[{ inventory_id: 1, item, quantity: 6, ...price }]]);
    const order = texts['bricklink.order.json'] ?? '';
    expect(await load({ 'a.json': order, 'b.json': items })).toMatchObject({
      added: 1,
      rejects: [],
    });
    const account = await world.store.accounts.findAccount(ann.email, world.now);
    const options = { kind: 'sales', format: 'csv', accountId: account?.id ?? 0 } as const;
    expect(await exportedText(world.store, options)).toContain(
      'bricklink/1234567/1,7644,A set,sealed,bricklink,2024-10-12,6,25.5,0,0,7.5,',
    );
  });
});

/** The cost of each set, calculated independently: price × paid ÷ sum of prices. */
function paidCents(xml: string): number[] {
  const orders = xml.split('<ORDER>').slice(1);
  return orders.flatMap((order) => {
    const field = (name: string, text = order) =>
      Number((new RegExp(`<${name}>([^<]*)`).exec(text)?.[1] ?? '').replaceAll(',', ''));
    const items = order.split('<ITEM>').slice(1);
    const cost = (item: string) => field('PRICE', item) * field('QTY', item);
    const all = items.reduce((sum, item) => sum + cost(item), 0);
    return items
      .filter((item) => item.includes('<ITEMTYPE>S<'))
      .map((item) => Math.round((100 * cost(item) * field('BASEGRANDTOTAL')) / all));
  });
}
