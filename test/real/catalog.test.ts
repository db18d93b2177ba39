/**
 * Real catalogs, one on top of the other: two dumps of Rebrickable, then all of Brickset's files.
 * What comes out is held against what the files hold, counted by other and plainer code. The files
 * belong to others and are not part of this project; without them this is skipped.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canonicalSetNumber, itemKey } from '../../src/domain/numbers.ts';
import { bricklinkCatalog } from '../../src/ingest/catalog/bricklink.ts';
import { brickset } from '../../src/ingest/catalog/brickset.ts';
import { rebrickable } from '../../src/ingest/catalog/rebrickable.ts';
import type { Format } from '../../src/ingest/format.ts';
import { importRows } from '../../src/ingest/import.ts';
import type { ImportReport } from '../../src/ingest/report.ts';
import { isBarcode, type PlainSet, plainBrickset } from '../support/plain-brickset.ts';
import { readPlainCsv } from '../support/plain-csv.ts';
import { plainRebrickable } from '../support/plain-rebrickable.ts';
import { readOptions } from '../support/read-options.ts';
import { startWorld, type World } from '../support/world.ts';

const data = resolve(import.meta.dir, '../../../shared/data');
const folders = {
  older: join(data, 'rebrickable_2023-11-15'),
  newer: join(data, 'rebrickable_2025-08-31'),
  flat: join(data, 'brickset_api_by_year/sets'),
  exported: join(data, 'brickset_csv_export_2022-09'),
  full: join(data, 'brickset_full_bricklinksold_2025-02'),
  bricklink: join(data, 'bricklink_catalog'),
};

interface SetDocument {
  readonly title: string;
  readonly theme: string;
  readonly subtheme: string | null;
  readonly pieces: number | null;
  readonly minifigs_count: number;
  readonly msrp_usd: number | null;
  readonly release_date: string | null;
  readonly retire_date: string | null;
  readonly barcodes: { readonly upc: string | null; readonly ean: string | null };
  readonly box: Readonly<Record<string, number | null>>;
}

describe.skipIf(!existsSync(folders.newer))('real catalogs', () => {
  let world: World;
  const older = existsSync(folders.older) ? plainRebrickable(folders.older) : new Map();
  const newer = existsSync(folders.newer) ? plainRebrickable(folders.newer) : new Map();

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const load = (format: Format, ...paths: string[]): Promise<ImportReport> =>
    importRows(format.read(paths, readOptions()), {
      ...world.store,
      clock: () => world.now,
      onReject: () => {},
    });

  const documentsOf = async (keys: Iterable<string>): Promise<Map<string, SetDocument>> => {
    await world.publisher.publishStale();
    const documents = new Map<string, SetDocument>();
    for (const key of keys) {
      const found = await world.store.market.findDocument('set', key);
      if (found) documents.set(key, JSON.parse(found.body));
    }
    return documents;
  };

  test('every row of the older dump is accounted for', async () => {
    const usable = [...older.keys()].filter(isUsable);
    expect(older.size).toBe(21_958 + 13_769);
    const report = await load(rebrickable, folders.older);
    const unusable = report.rejects.filter(({ where }) => where.includes('inventory_sets.csv'));
    expect(unusable.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 4 }, () => "there is no inventory '167354'"),
    );
    expect(report).toMatchObject({
      read: older.size + 4,
      added: usable.length,
      updated: 0,
      unchanged: 0,
      rejected: older.size - usable.length + 4,
      gone: 0,
    });
  });

  test('the newer dump adds, changes and loses what a comparison of the files says', async () => {
    const usable = [...newer.keys()].filter(isUsable);
    const known = usable.filter((key) => older.has(key));
    const changed = known.filter((key) => newer.get(key) !== older.get(key));
    const gone = [...older.keys()].filter((key) => isUsable(key) && !newer.has(key));
    expect(newer.size).toBe(25_491 + 15_941);
    expect(changed.length).toBeGreaterThan(1000);
    expect(gone.length).toBeGreaterThan(10);
    const report = await load(rebrickable, folders.newer);
    expect(report).toMatchObject({
      read: newer.size,
      added: usable.length - known.length,
      updated: changed.length,
      unchanged: known.length - changed.length,
      rejected: newer.size - usable.length,
      gone: gone.length,
    });
    expect(report.rejects.map(({ reason }) => reason)).toEqual([
      "'MIDAUTUMNRABBIT-1-1': 'set_number' has two variants",
    ]);
    expect(await load(rebrickable, folders.newer)).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: usable.length,
      gone: 0,
    });
  }, 120_000);

  test('every row of the files of Brickset is accounted for, bad check digits by name', async () => {
    const paths = [folders.flat, folders.exported, folders.full];
    const report = await load(brickset, ...paths);
    expect(report.read).toBe(21_546 + 8_960 + 9_205);
    expect(report.added).toBe(report.read - report.rejected);
    const reasons = report.rejects.map(({ reason }) => reason);
    const digits = reasons.filter((reason) => reason.includes('check digit'));
    const open = reasons.filter((reason) => reason.includes('tells them apart'));
    expect(digits.length + open.length).toBe(report.rejected);
    expect(open).toHaveLength(31);
    expect(digits.filter((reason) => reason.includes('EAN'))).toEqual([
      "'60184-1': EAN '5702019109504' has check digit 4, not 1",
      "'854015-1': EAN '5702016680123' has check digit 3, not 6",
    ]);
    expect(digits.filter((reason) => reason.includes('UPC'))).toHaveLength(8);
    expect(await load(brickset, ...paths)).toMatchObject({
      updated: 0,
      unchanged: report.added,
      rejected: report.rejected,
    });
  }, 120_000);

  test('sets then have the prices, barcodes, dates and boxes that the files hold', async () => {
    const plain = plainBrickset(folders);
    const dumped = [...older.keys(), ...newer.keys()].filter((key) => key.startsWith('set '));
    const keys = new Set([
      ...dumped.filter(isUsable).map((key) => itemKey('set', key.slice(4))),
      ...plain.keys(),
    ]);
    const documents = await documentsOf(keys);
    expect([...keys].filter((key) => !documents.has(key))).toEqual([]);
    const having = (has: (document: SetDocument) => boolean) =>
      [...documents].filter(([, document]) => has(document)).length;
    const held = (has: (set: PlainSet) => boolean) => [...plain.values()].filter(has).length;

    expect(having((set) => set.msrp_usd !== null)).toBe(held((set) => set.hasPrice));
    expect(having((set) => set.barcodes.upc !== null)).toBe(held((set) => set.hasUpc));
    expect(having((set) => set.barcodes.ean !== null)).toBe(held((set) => set.hasEan));
    expect(having((set) => set.release_date !== null)).toBe(held((set) => set.hasRelease));
    expect(having((set) => Object.values(set.box).some((measure) => measure !== null))).toBe(
      held((set) => set.hasBox),
    );
    // Where files disagree whether the day has passed, either may be right.
    const today = '2026-11-15';
    expect(having((set) => set.retire_date !== null)).toBeWithin(
      held(({ retireDates: days }) => days.length > 0 && days.every((day) => day <= today)),
      held(({ retireDates: days }) => days.some((day) => day <= today)) + 1,
    );
    expect(held((set) => set.hasPrice)).toBeGreaterThan(9000);
    expect(held((set) => set.hasUpc)).toBe(barcodes('UPC').length);
  }, 300_000);

  test('a set shows what each catalog knows of it', async () => {
    const documents = await documentsOf(['75192', '10270', '60184']);
    expect(documents.get('75192')).toMatchObject({
      title: 'Millennium Falcon',
      theme: 'Star Wars',
      pieces: 7541,
      msrp_usd: 849.99,
      barcodes: { ean: '5702015869935' },
    });
    // 37.3 x 57.8 x 10.2 cm and 2.946 kg in the API's file.
    expect(documents.get('10270')).toMatchObject({
      release_date: expect.stringMatching(/^2020-01-0/),
      box: { width_in: 22.76, height_in: 14.69, depth_in: 4.02, weight_lbs: 6.49 },
    });
    // Its row in the export has a wrong check digit; the other files still bring their part.
    expect(documents.get('60184')).toMatchObject({ barcodes: { upc: null, ean: null } });
    expect(documents.get('60184')?.msrp_usd).not.toBeNull();
  }, 120_000);

  test("every row of BrickLink's catalog is accounted for", async () => {
    const report = await load(bricklinkCatalog, folders.bricklink);
    expect(report).toMatchObject({ read: 21_346 + 14_217 + 3_086, rejected: 1, updated: 0 });
    expect(report.rejects.map(({ reason }) => reason)).toEqual([
      "'45570-1': 'width_in' must be a number above 0 and at most 200",
    ]);
    expect(await load(bricklinkCatalog, folders.bricklink)).toMatchObject({
      unchanged: report.added,
      updated: 0,
    });
  }, 120_000);

  const barcodes = (column: 'UPC' | 'EAN') =>
    Array.from({ length: 11 }, (_, index) => `lego_sets_${2012 + index}.csv`)
      .flatMap((name) => readPlainCsv(join(folders.exported, name)))
      .filter((row) => row[column] && [row.UPC, row.EAN].every((code) => !code || isBarcode(code)));
});

/** A number that has two variants is rejected. */
function isUsable(key: string): boolean {
  const number = canonicalSetNumber(key);
  return number === canonicalSetNumber(number);
}
