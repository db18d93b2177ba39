/** Minifigs that are valued as the set that contains nothing else. */
// @runs SQLite, PostgreSQL: is about the store
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  aListingCount,
  anImport,
  aSale,
  aSet,
  minifigRow as minifig,
} from '../../../test/support/builders.ts';
import { noon, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { SetDescription } from '../../catalog/items/catalog.ts';
import { toUsd } from '../../kernel/money.ts';
import { dayMs } from '../../kernel/time.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Sale } from '../../market/source-rows/source-rows.ts';
import { valueEngine } from '../../market/values/engine.ts';

let world: StoredWorld;

beforeEach(async () => {
  world = await openWorld(noon, valueEngine);
});

afterEach(() => world.close());

const bag = (number: string, facts: Partial<SetDescription> = {}): MarketRow => ({
  kind: 'set',
  source: 'rebrickable',
  facts: aSet({ number, theme: 'Collectible Minifigures', minifigs: ['fig-1'], ...facts }),
});

const sale = (sourceId: string, facts: Partial<Sale>): MarketRow => ({
  kind: 'sale',
  sale: aSale({ sourceId, soldAt: world.now - 9 * dayMs, seller: sourceId, ...facts }),
});
const ofSet = { itemKind: 'set', itemKey: '71027-2' } as const;
const ofMinifig = { itemKind: 'minifig', itemKey: 'col368' } as const;

async function load(...rows: readonly MarketRow[]): Promise<number> {
  const { market } = world.store;
  const { now } = world;
  const id = await market.logImport(anImport({ startedAt: now, endedAt: now }));
  await market.applyRows(rows, now, id);
  await world.publisher.publishStale();
  return id;
}

const pairs = async () =>
  (
    await onTables<{ key: string; set: string }>(
      world.folder,
      `SELECT m.key, s.key AS "set" FROM item m JOIN item s ON s.id = m.valued_as ORDER BY m.key`,
    )
  ).map(({ key, set }) => `${key} as ${set}`);

/** The values of both numbers, sealed and used. */
const values = async () => {
  const { market } = world.store;
  const set = JSON.parse((await market.findDocument('set', '71027-2'))?.body ?? '{}');
  const figure = JSON.parse((await market.findDocument('minifig', 'col368'))?.body ?? '{}');
  const { sealed = null } = (await market.findEvidence('minifig', 'col368'))?.evidence ?? {};
  return {
    set: [set.new_value_usd, set.used_value_usd],
    minifig: [sealed && toUsd(sealed.valueCents), figure.current_value_usd],
  };
};

describe('which minifigs are valued as sets', () => {
  test('the only minifig of a collectible set, under any of its numbers', async () => {
    await load(bag('71027-2'), minifig('col368', ['fig-1']));
    expect(await pairs()).toEqual(['col368 as 71027-2']);
    // Each step alone separates them, or joins them again.
    await load(minifig('col368'));
    expect(await pairs()).toEqual([]);
    await load(minifig('fig-1'));
    expect(await pairs()).toEqual(['fig-1 as 71027-2']);
    await load(minifig('col368', ['fig-1']));
    expect(await pairs()).toEqual(['col368 as 71027-2']);
    await load(bag('71027-2', { minifigs: ['fig-1', 'fig-2'] }));
    expect(await pairs()).toEqual([]);
    await load(bag('71027-2', { theme: 'City' }));
    expect(await pairs()).toEqual([]);
  });

  test('a complete series or a box is an item of its own', async () => {
    await load(
      minifig('col368', ['fig-1']),
      bag('71027-17', { minifigs: ['fig-1', 'fig-2'] }),
      bag('71027-18', { minifigsCount: 60 }),
      bag('71027-0', { minifigs: [] }),
    );
    expect(await pairs()).toEqual([]);
  });

  test('of several sets, the one with the first number', async () => {
    await load(bag('9-2'), minifig('col368', ['fig-1']));
    await load(bag('8-2'));
    expect(await pairs()).toEqual(['col368 as 8-2']);
    await load(bag('8-2', { minifigs: [] }));
    expect(await pairs()).toEqual(['col368 as 9-2']);
  });
});

describe('a shared value', () => {
  const catalog = () => [bag('71027-2'), minifig('col368', ['fig-1'])];

  test('sales under either number count for both, which have one value', async () => {
    await load(...catalog());
    await load(
      ...['a', 'b', 'c'].map((id) => sale(id, { ...ofSet, priceCents: 8_00 })),
      ...['d', 'e', 'f'].map((id) =>
        sale(id, { ...ofMinifig, condition: 'used', priceCents: 5_00 }),
      ),
    );
    const { set, minifig: figure } = await values();
    expect(figure).toEqual(set);
    expect(set[0]).toBeCloseTo(8, 0);
    expect(set[1]).toBeCloseTo(5, 0);
    const { evidence } = (await world.store.market.findEvidence('minifig', 'col368')) ?? {};
    expect(evidence).toMatchObject({
      sharedWith: { kind: 'set', number: '71027-2' },
      sealed: { sales: { ever: 3 } },
      used: { sales: { ever: 3 } },
    });
    expect(await world.store.market.listSold(null)).toMatchObject([{ key: '71027-2', sales: 6 }]);
  });

  test('a new sale or the passing of time changes both at once', async () => {
    await load(...catalog(), sale('a', { ...ofMinifig, condition: 'used' }));
    const { market } = world.store;
    for (const of of [ofSet, ofMinifig]) {
      await market.applyRows([sale(of.itemKind, { ...of, priceCents: 20_00 })], world.now);
      expect((await market.findEvidence('minifig', 'col368'))?.isStale).toBe(true);
      expect(await market.countStale()).toBe(1);
      await world.publisher.publishStale();
      const { set, minifig: figure } = await values();
      expect(figure).toEqual(set);
    }
    world.now += 30 * dayMs;
    expect(await world.publisher.publishDue(10)).toBe(1);
    const { set, minifig: figure } = await values();
    expect(figure).toEqual(set);
  });

  test('is verified under both numbers', async () => {
    await load(...catalog(), sale('a', ofSet), sale('b', { ...ofMinifig, condition: 'used' }));
    for (const { itemKind, itemKey } of [ofSet, ofMinifig]) {
      const { id = 0 } = (await world.store.market.findEvidence(itemKind, itemKey)) ?? {};
      expect(await world.publisher.verify(id)).toMatchObject({ value: 'matches' });
    }
  });

  test('ends with the undo of the import that joined them', async () => {
    await load(minifig('col368', ['fig-1']), sale('a', { ...ofMinifig, condition: 'used' }));
    await load(bag('71027-2', { minifigs: null }), sale('b', ofSet));
    const before = await values();
    const joined = await load(bag('71027-2'));
    expect(await pairs()).toEqual(['col368 as 71027-2']);
    expect(await values()).not.toEqual(before);
    await world.store.market.undoImport(joined, world.now);
    await world.publisher.publishStale();
    expect(await pairs()).toEqual([]);
    expect(await values()).toEqual(before);
  });

  test('a minifig without sales has none, though its set is estimated', async () => {
    await load(
      bag('71027-2', { msrpCents: 4_99, releaseDate: '2025-01-01' }),
      catalog()[1] ?? bag(''),
    );
    const { set, minifig: figure } = await values();
    expect(set[0]).toBeGreaterThan(0);
    expect(figure).toEqual([null, null]);
  });

  test('units for sale under both numbers are added up', async () => {
    const listed = { channel: 'bricklink', condition: 'used', observedAt: world.now } as const;
    await load(
      ...catalog(),
      sale('a', ofSet),
      {
        kind: 'listings',
        listings: aListingCount({ ...ofSet, ...listed, units: 3, lowestCents: 9 }),
      },
      {
        kind: 'listings',
        listings: aListingCount({ ...ofMinifig, ...listed, units: 40, lowestCents: 7 }),
      },
    );
    const { evidence } = (await world.store.market.findEvidence('set', '71027-2')) ?? {};
    expect(evidence?.listings?.used).toMatchObject([{ units: 43, lowestCents: 7 }]);
  });
});
