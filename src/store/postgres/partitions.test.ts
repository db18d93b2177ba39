/** Sales with a partition per month, made by the script of the docs. */
// @runs PostgreSQL, PostgreSQL 17: is about its partitions
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anImport, aSale, setRow } from '../../../test/support/builders.ts';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import { anyBatches } from '../../../test/support/market-rows.ts';
import { partitionSales, partitionScript } from '../../../test/support/partitions.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { dayMs } from '../../kernel/time.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Sale } from '../../market/source-rows/source-rows.ts';
import { type Client, openClient } from './client.ts';

describe.skipIf(!isPostgres)('partitions', () => {
  let world: StoredWorld;
  let url: string;
  let client: Client;

  const start = async () => {
    world = await openWorld();
    url = (await databaseOf(world.folder)) ?? '';
    client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
  };
  const stop = async () => {
    await client.close();
    await world.close();
  };

  beforeEach(start);
  afterEach(stop);

  const sale = (sourceId: string, facts: Partial<Sale> = {}): MarketRow => ({
    kind: 'sale',
    sale: aSale({ itemKey: '1', sourceId, ...facts }),
  });

  /** Imports batches; returns the id of the import. */
  async function load(...batches: readonly (readonly MarketRow[])[]): Promise<number> {
    const { store, now } = world;
    const id = await store.market.logImport(anImport({ startedAt: now, endedAt: now }));
    for (const rows of batches) await store.market.applyRows(rows, now, id);
    return id;
  }

  const storedSales = async () =>
    (await client.query<object>('SELECT * FROM source.sale ORDER BY source, source_id')).map(
      (row) => ({ ...row }),
    );

  const placesOf = async () => {
    const rows = await client.query<{ id: string; place: string }>(
      'SELECT source_id AS id, tableoid::regclass::text AS place FROM source.sale ORDER BY 1',
    );
    return rows.map(({ id, place }) => [id, place]);
  };

  const september = Date.UTC(2026, 8, 30, 23);
  const october = Date.UTC(2026, 9, 1);

  test('a store that is partitioned keeps its sales, each in its month', async () => {
    await load([
      setRow('1'),
      sale('a', { soldAt: september }),
      sale('b', { soldAt: october }),
      sale('c', { soldAt: october - 1 }),
    ]);
    const before = await storedSales();
    await client.script(partitionScript);
    expect(await storedSales()).toEqual(before);
    expect(await placesOf()).toEqual([
      ['a', 'source.sale_2026_09'],
      ['b', 'source.sale_2026_10'],
      ['c', 'source.sale_2026_09'],
    ]);
  });

  test('the script can be repeated, and moves sales that had no month yet', async () => {
    await load([setRow('1'), sale('a', { soldAt: october })]);
    await client.script(partitionScript);
    await load([sale('old', { soldAt: september })]);
    await client.script('DROP TABLE source.sale_2026_10');
    await load([sale('b', { soldAt: october })]);
    expect(await placesOf()).toEqual([
      ['b', 'source.sale_other'],
      ['old', 'source.sale_other'],
    ]);
    const before = await storedSales();
    // The script adds months from the current one, so the clock of the test is in its place.
    await client.script(partitionScript.replaceAll('now() AT', `timestamptz '2026-10-09' AT`));
    expect(await storedSales()).toEqual(before);
    expect(await placesOf()).toEqual([
      ['b', 'source.sale_2026_10'],
      ['old', 'source.sale_other'],
    ]);
  });

  test('a sale that is corrected to another month is still one sale', async () => {
    await partitionSales(url, world.now);
    await load([setRow('1'), sale('a', { soldAt: september })]);
    const before = await storedSales();
    const id = await load([sale('a', { soldAt: october })]);
    expect(await placesOf()).toEqual([['a', 'source.sale_2026_10']]);
    await load([sale('a', { soldAt: october })]);
    expect(await storedSales()).toHaveLength(1);
    expect(await world.store.market.undoImport(id, world.now)).not.toHaveProperty('refusal');
    expect(await storedSales()).toEqual(before);
    expect(await placesOf()).toEqual([['a', 'source.sale_2026_09']]);
  });

  test('a month can be detached while imports go on, and attached again', async () => {
    await partitionSales(url, world.now);
    await load([setRow('1'), sale('a', { soldAt: september }), sale('b', { soldAt: october })]);
    const before = await storedSales();
    await client.run('ALTER TABLE source.sale DETACH PARTITION source.sale_2026_09');
    const id = await load([sale('c', { soldAt: october })]);
    expect(await placesOf()).toEqual([
      ['b', 'source.sale_2026_10'],
      ['c', 'source.sale_2026_10'],
    ]);
    await client.run(`ALTER TABLE source.sale ATTACH PARTITION source.sale_2026_09
      FOR VALUES FROM (${Date.UTC(2026, 8)}) TO (${Date.UTC(2026, 9)})`);
    await world.store.market.undoImport(id, world.now);
    expect(await storedSales()).toEqual(before);
  });

  test('after the undo of any import, sales are as if it had never happened', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, fc.nat({ max: 3 }), async (batches, count) => {
        await stop();
        await start();
        await partitionSales(url, world.now);
        await load(...batches.slice(0, count));
        const before = await storedSales();
        const id = await load(...batches.slice(count));
        await world.store.market.undoImport(id, world.now);
        expect(await storedSales()).toEqual(before);
      }),
      { seed: 36, numRuns: runsOnEngine(10) },
    );
  });

  test('values do not depend on partitions', async () => {
    const rows = Array.from({ length: 30 }, (_, index) =>
      sale(`sale-${index}`, { soldAt: world.now - (index + 1) * 3 * dayMs, priceCents: 100_00 }),
    );
    const inputs = () => world.store.market.loadInputs([1], { at: world.now, withSeries: true });
    await load([setRow('1'), ...rows]);
    const before = await inputs();
    await client.script(partitionScript);
    expect(await inputs()).toEqual(before);
    expect(before[0]?.sales).toHaveLength(30);
  });
});
