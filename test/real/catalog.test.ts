/**
 * Imports real catalogs in sequence: two dumps of Rebrickable, then all of Brickset's files. The
 * result is compared with the files, counted by independent, simpler code. The files are not part
 * of this project; without them this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Static } from 'typebox';
import type { SetFacts } from '../../src/catalog/items/catalog.ts';
import { ranksLast } from '../../src/catalog/items/item-class.ts';
import {
  type MinifigRecords,
  mergeMinifig,
  mergeSet,
  type SetRecords,
} from '../../src/catalog/items/merge.ts';
import { type ItemKind, itemKey } from '../../src/catalog/items/numbers.ts';
import { lifetimeOf, statusAt } from '../../src/catalog/items/status.ts';
import { SegmentBuilder } from '../../src/catalog/search/segment-builder.ts';
import type { MinifigRecord } from '../../src/contract/minifig.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { bricklinkCatalog } from '../../src/ingest/catalog/bricklink.work.ts';
import { bricklinkInventories } from '../../src/ingest/catalog/bricklink-inventories.work.ts';
import { brickset } from '../../src/ingest/catalog/brickset.work.ts';
import { rebrickable } from '../../src/ingest/catalog/rebrickable.work.ts';
import type { Format } from '../../src/ingest/runner/format.work.ts';
import { type ImportTarget, importRows } from '../../src/ingest/runner/import.work.ts';
import type { ImportReport } from '../../src/ingest/runner/report.ts';
import type { LearningInputs } from '../../src/market/values/learning-inputs.ts';
import { publishItem } from '../../src/publish/item.ts';
import { minifigSearchFacts, setSearchFacts } from '../../src/publish/search-facts.ts';
import { isBarcode, type PlainSet, plainBrickset } from '../support/plain-brickset.ts';
import { readPlainCsv } from '../support/plain-csv.ts';
import { plainEstimator } from '../support/plain-engine.ts';
import { plainRebrickable } from '../support/plain-rebrickable.ts';
import { publishSettings } from '../support/publish-settings.ts';
import { readOptions } from '../support/read-options.ts';
import { openWorld, type StoredWorld } from '../support/stored-world.ts';
import { onTables } from '../support/tables.ts';
import { famousMinifigs, famousSets } from './famous.ts';
import { expectedSearches, meantSearches, missedNames, missedSearches } from './searches.ts';

const data = resolve(import.meta.dir, '../../../shared/data');
const folders = {
  older: join(data, 'rebrickable_2023-11-15'),
  newer: join(data, 'rebrickable_2025-08-31'),
  flat: join(data, 'brickset_api_by_year/sets'),
  exported: join(data, 'brickset_csv_export_2022-09'),
  full: join(data, 'brickset_full_bricklinksold_2025-02'),
  bricklink: join(data, 'bricklink_catalog'),
  bricklinkFull: join(data, 'bricklink_catalog_full_2025-10'),
};

interface StoredItem {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
}

type SetDocument = Static<typeof SetRecord>;
type MinifigDocument = Static<typeof MinifigRecord>;

describe.skipIf(!existsSync(folders.newer))('real catalogs', () => {
  let world: StoredWorld;
  const older = existsSync(folders.older) ? plainRebrickable(folders.older) : new Map();
  const newer = existsSync(folders.newer) ? plainRebrickable(folders.newer) : new Map();

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const loadInto = (
    market: ImportTarget['market'],
    format: Format,
    paths: readonly string[],
  ): Promise<ImportReport> =>
    importRows(format.read(paths, readOptions()), {
      ...world.store,
      market,
      clock: () => world.now,
      onReject: () => {},
    });

  const load = (format: Format, ...paths: string[]) => loadInto(world.store.market, format, paths);

  /** Matching the minifigs of all catalogs takes seconds, so only the last import does it. */
  const loadUnmatched = (format: Format, ...paths: string[]) =>
    loadInto({ ...world.store.market, joinMinifigs: async () => null }, format, paths);

  /** Publishes and checks the documents of these items only. */
  const documentsOf = async (items: readonly StoredItem[]): Promise<Map<string, SetDocument>> => {
    const { market } = world.store;
    const moment = { at: world.now, history: await market.findHistoryState() };
    const settings = { estimator: plainEstimator, ...publishSettings };
    const options = { at: world.now, withSeries: true };
    const documents = new Map<string, SetDocument>();
    for (const inputs of await market.loadInputs(
      items.map(({ id }) => id),
      options,
    )) {
      const { id, body } = publishItem(inputs, settings, moment);
      const key = items.find((item) => item.id === id)?.key ?? '';
      documents.set(key, JSON.parse(body));
    }
    return documents;
  };

  const listItems = () =>
    onTables<StoredItem>(world.folder, 'SELECT id, kind, key FROM item WHERE part_of IS NULL');

  /** Without collectible minifigs, whose documents are made with those of their sets. */
  const listPublished = () =>
    onTables<StoredItem>(
      world.folder,
      'SELECT id, kind, key FROM item WHERE part_of IS NULL AND valued_as IS NULL',
    );

  /** The merged facts of each set, by key. */
  const mergedSets = async (): Promise<Map<string, SetFacts>> => {
    const rows = await onTables<{ key: string; source: string; body: string }>(
      world.folder,
      `SELECT i.key, r.source, r.body FROM item i JOIN catalog_record r ON r.item_id = i.id
       WHERE i.kind = 'set'`,
    );
    const records = rows.map(({ key, source, body }) => ({ key, source, facts: JSON.parse(body) }));
    const sets = Map.groupBy(records, ({ key }) => key);
    return new Map([...sets].map(([key, said]) => [key, mergeSet(said)]));
  };

  test('every row of the older dump is accounted for', async () => {
    expect(older.size).toBe(21_958 + 13_769);
    const report = await load(rebrickable, folders.older);
    const unusable = report.rejects.filter(({ where }) => where.includes('inventory_sets.csv'));
    expect(unusable.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 4 }, () =>
        expect.stringMatching(/^inventory '\d+' is not in inventories.csv$/),
      ),
    );
    expect(report).toMatchObject({
      read: older.size + 4,
      added: older.size,
      updated: 0,
      unchanged: 0,
      rejected: 4,
      gone: 0,
    });
  });

  test('the newer dump adds, changes and removes what a comparison of the files shows', async () => {
    const known = [...newer.keys()].filter((key) => older.has(key));
    const changed = known.filter((key) => newer.get(key) !== older.get(key));
    const gone = [...older.keys()].filter((key) => !newer.has(key));
    expect(newer.size).toBe(25_491 + 15_941);
    expect(changed.length).toBeGreaterThan(1000);
    expect(gone.length).toBeGreaterThan(10);
    const report = await load(rebrickable, folders.newer);
    expect(report).toMatchObject({
      read: newer.size,
      added: newer.size - known.length,
      updated: changed.length,
      unchanged: known.length - changed.length,
      rejected: 0,
      gone: gone.length,
    });
    expect(report.rejects).toEqual([]);
  });

  test("every row of Brickset's files is accounted for, with warnings for bad check digits", async () => {
    const paths = [folders.flat, folders.exported, folders.full];
    const report = await load(brickset, ...paths);
    expect(report.read).toBe(21_546 + 8_960 + 9_205);
    expect(report.added).toBe(report.read - report.rejected);
    const reasons = report.rejects.map(({ reason }) => reason);
    expect(reasons.filter((reason) => !reason.includes('tells them apart'))).toEqual([]);
    expect(report).toMatchObject({ rejected: 31, warned: 10 });
    const digits = report.warnings.map(({ reason }) => reason);
    for (const [column, count] of [
      ['EAN', 2],
      ['UPC', 8],
    ] as const) {
      const wrong = exportedRows().filter((row) => row[column] && !isBarcode(row[column]));
      expect(wrong).toHaveLength(count);
      const named = wrong.map((row) => `'${row.Number}': ${column} '${row[column]}'`);
      const mentioned = digits.filter((reason) => reason.includes(column));
      expect(mentioned.map((reason) => reason.split(' has ', 1)[0] ?? '')).toEqual(named);
    }
    // Some files of each kind; repeating a dump is tested above.
    const again = await load(
      brickset,
      join(folders.flat, '2020.csv'),
      join(folders.exported, 'lego_sets_2020.csv'),
      folders.full,
    );
    expect(again.read).toBeGreaterThan(10_000);
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: again.read - again.rejected });
  });

  test('sets have the prices, barcodes, dates and boxes of the files', async () => {
    const plain = plainBrickset(folders);
    const dumped = [...older.keys(), ...newer.keys()].filter((key) => key.startsWith('set '));
    const keys = new Set([...dumped.map((key) => itemKey('set', key.slice(4))), ...plain.keys()]);
    const sets = await mergedSets();
    expect([...keys].filter((key) => !sets.has(key))).toEqual([]);
    const having = (has: (set: SetFacts) => boolean) => [...sets.values()].filter(has).length;
    const held = (has: (set: PlainSet) => boolean) => [...plain.values()].filter(has).length;

    expect(having((set) => set.msrpCents !== null)).toBe(held((set) => set.hasPrice));
    expect(having((set) => set.upc !== null)).toBe(held((set) => set.hasUpc));
    expect(having((set) => set.ean !== null)).toBe(held((set) => set.hasEan));
    expect(having((set) => set.releaseDate !== null)).toBe(held((set) => set.hasRelease));
    expect(having((set) => Object.values(set.box ?? {}).some((measure) => measure !== null))).toBe(
      held((set) => set.hasBox),
    );
    // If files disagree about retirement or availability, either is accepted.
    const today = '2026-11-15';
    expect(having((set) => set.retireDate !== null && set.retireDate <= today)).toBeWithin(
      held(
        ({ retireDates: days, isInShop }) =>
          days.length > 0 && days.every((day) => day <= today) && !isInShop,
      ),
      held(({ retireDates: days }) => days.some((day) => day <= today)) + 1,
    );
    expect(held((set) => set.hasPrice)).toBeGreaterThan(9000);
    expect(held((set) => set.hasUpc)).toBe(barcodes('UPC').length);
  });

  test('a set has the data of each catalog', async () => {
    const dumped = readPlainCsv(join(folders.newer, 'sets.csv'));
    const rows = exportedRows().filter(({ EAN, Weight, Width }) => EAN && Weight && Width);
    const some = rows.filter((row) => isBarcode(row.EAN ?? '')).slice(0, 25);
    const keyOf = ({ Number: number = '' }) => itemKey('set', number);
    const keys = new Set(some.map(keyOf));
    const items = (await listItems()).filter(({ kind, key }) => kind === 'set' && keys.has(key));
    const documents = await documentsOf(items);
    expect(documents.size).toBe(25);
    for (const row of some) {
      const document = documents.get(keyOf(row));
      expect(document?.title).toBe(dumped.find((set) => set.set_num === row.Number)?.name ?? '');
      expect(document?.barcodes.ean).toBe(row.EAN ?? '');
      expect(document?.msrp_usd ?? 0).toBe(Number(row['RRP (USD)']));
    }
  });

  test('the documents of sets and minifigs satisfy the contract', async () => {
    const items = (await listPublished()).filter((_, index) => index % 50 === 0);
    expect((await documentsOf(items)).size).toBe(items.length);
    expect(items.length).toBeGreaterThan(500);
  });

  test("every row of BrickLink's catalogs is accounted for", async () => {
    const minifigs = join(folders.bricklinkFull, 'Minifigures.txt');
    const report = await loadUnmatched(bricklinkCatalog, folders.bricklink, minifigs);
    const boxesOfSeries = 11;
    const read = 21_346 + 14_217 + 3_086 + 18_149 - boxesOfSeries;
    expect(report).toMatchObject({ read, rejected: 0, updated: 0, warned: 1 });
    expect(report.warnings[0]?.reason).toEndWith(
      "'width_in' must be a number above 0 and at most 200, not 456.69",
    );
    const repeated = join(folders.bricklink, 'minifigs_data.csv');
    const again = await loadUnmatched(bricklinkCatalog, repeated);
    expect(again).toMatchObject({ read: 14_217, added: 0, updated: 0, unchanged: 14_217 });
  });

  test('no theme is duplicated, and no set from before 2015 is on sale', async () => {
    const sets = await mergedSets();
    const isOld = ({ releaseDate, year }: SetFacts) =>
      Number(releaseDate?.slice(0, 4) ?? year ?? 2015) < 2015;
    const old = [...sets.values()].filter(isOld);
    const isOnSale = (set: SetFacts) => statusAt(lifetimeOf(set, null), world.now) !== 4;
    expect(old.length).toBeGreaterThan(12_000);
    expect(old.filter(isOnSale).map(({ number }) => number)).toEqual([]);
    const themes = new Set(Array.from(sets.values(), ({ theme }) => theme));
    const alike = Map.groupBy(themes, (theme) =>
      theme
        .toLowerCase()
        .replace('collectable', 'collectible')
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => !['', 'the', 'lego', 'and'].includes(word))
        .map((word) => word.replace(/s$/, ''))
        .sort()
        .join(' '),
    );
    expect([...alike.values()].filter((spellings) => spellings.length > 1)).toEqual([]);
    expect(themes.size).toBeWithin(100, 250);
  });

  test('thirty famous sets have the expected facts', async () => {
    const keys = new Set(famousSets.map(({ number }) => number));
    const items = (await listItems()).filter(({ kind, key }) => kind === 'set' && keys.has(key));
    const documents = await documentsOf(items);
    const shown = famousSets.map(({ number }) => {
      const set = documents.get(number);
      return {
        number,
        title: set?.title,
        theme: set?.theme,
        pieces: set?.pieces,
        minifigs: set?.minifigs_count,
        msrp: set?.msrp_usd,
        released: set?.release_date,
        retired: set?.retire_date,
        status: set?.status_id,
      };
    });
    expect(shown).toEqual([...famousSets]);
    expect(famousSets.length).toBeGreaterThanOrEqual(30);
  });

  test('ten famous minifigs have the numbers, sets and pictures of both catalogs', async () => {
    await load(bricklinkInventories, join(folders.bricklinkFull, 'S-10350-1.txt'));
    const parts = await onTables<{ key: string; owner: string }>(
      world.folder,
      'SELECT i.key, top.key AS owner FROM item i JOIN item top ON top.id = i.part_of',
    );
    const owners = new Map(parts.map(({ key, owner }) => [key, owner]));
    expect(owners.size).toBeGreaterThan(8_500);
    const keys = new Set(famousMinifigs.map(({ number }) => number));
    const items = (await listItems()).filter(
      ({ kind, key }) => kind === 'minifig' && keys.has(key),
    );
    const documents = (await documentsOf(items)) as unknown as ReadonlyMap<string, MinifigDocument>;
    for (const { number, rebrickable: other, name, year, set } of famousMinifigs) {
      expect(owners.get(other)).toBe(number);
      const document = documents.get(number);
      expect(document?.name).toContain(name);
      expect(document?.year_released).toBe(year);
      expect(document?.category).not.toBeNull();
      expect(document?.image_url).toContain(other);
      expect(document?.sets).toContain(set);
    }
  });

  test('common searches find the expected item in the top five, and a name finds its item first', async () => {
    const rows = await onTables<{ kind: ItemKind; key: string; source: string; body: string }>(
      world.folder,
      `SELECT i.kind, coalesce(top.key, i.key) AS key, r.source, r.body FROM item i
       JOIN catalog_record r ON r.item_id = i.id LEFT JOIN item top ON top.id = i.part_of
       ORDER BY i.kind, 2`,
    );
    const builders = { set: new SegmentBuilder(), minifig: new SegmentBuilder() };
    const names = { set: new Map<string, string>(), minifig: new Map<string, string>() };
    const records = rows.map(({ body, ...row }) => ({ ...row, facts: JSON.parse(body) }));
    for (const group of Map.groupBy(records, ({ kind, key }) => `${kind} ${key}`).values()) {
      const [{ kind, key } = { kind: 'set' as const, key: '' }] = group;
      const inputs = { id: 0, kind, key, records: group, sales: [], related: [], retailWeeks: [] };
      const entry = { key, ...nameAndSearchFacts(inputs, world.now) };
      builders[kind].add(entry);
      if (!entry.ranksLast) names[kind].set(key, entry.name);
    }
    const segments = { set: builders.set.build(), minifig: builders.minifig.build() };
    expect(expectedSearches.length).toBeGreaterThanOrEqual(40);
    expect(missedSearches(segments)).toEqual([]);
    const { share, missed } = meantSearches(segments.set);
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
    expect(missedNames(segments.set, names.set)).toEqual([]);
    expect(missedNames(segments.minifig, names.minifig)).toEqual([]);
  });

  const exportedRows = () =>
    Array.from({ length: 11 }, (_, index) => `lego_sets_${2012 + index}.csv`).flatMap((name) =>
      readPlainCsv(join(folders.exported, name)),
    );

  const barcodes = (column: 'UPC' | 'EAN') =>
    exportedRows().filter((row) => row[column] && isBarcode(row[column]));
});

/** The name and search facts of an item, from source records only. */
function nameAndSearchFacts(inputs: LearningInputs, at: number) {
  if (inputs.kind === 'set') {
    const facts = mergeSet(inputs.records as SetRecords);
    const isLast = ranksLast(facts.itemClass, facts.title);
    return { name: facts.title, ranksLast: isLast, ...setSearchFacts(inputs, facts, at) };
  }
  const facts = mergeMinifig(inputs.records as MinifigRecords);
  const found = minifigSearchFacts(inputs, { facts, value: null, at });
  return { name: facts.name, ranksLast: false, ...found };
}
