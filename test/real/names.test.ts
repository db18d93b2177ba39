/**
 * Names of sets in real exports of other services, against the names of Rebrickable. They are not
 * part of this project; without them this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { itemKey, variantBase } from '../../src/catalog/items/numbers.ts';
import { findBetterFit, mayBeOther, type NamedSet } from '../../src/catalog/search/name-fit.ts';
import { findMatches } from '../../src/catalog/search/search.ts';
import type { SearchSegment } from '../../src/catalog/search/search-segment.ts';
import { searchTerms } from '../../src/catalog/search/search-terms.ts';
import { segmentOf } from '../../src/catalog/search/segment-builder.ts';
import { readPlainCsv } from '../support/plain-csv.ts';

const folder = resolve(import.meta.dir, '../../../shared/data');

describe.skipIf(!existsSync(folder))('names in real files', () => {
  let titles: ReadonlyMap<string, string>;
  let sets: SearchSegment;

  beforeAll(() => {
    const rows = readPlainCsv(join(folder, 'rebrickable_2025-08-31/sets.csv'));
    titles = new Map(rows.map((row) => [itemKey('set', row.set_num ?? ''), row.name ?? '']));
    const facts = { otherNames: [], subthemes: [], themes: [], year: null, interest: 0 };
    sets = segmentOf([...titles].map(([key, name]) => ({ key, name, ...facts, ranksLast: false })));
  });

  function betterFit(number: string, name: string): NamedSet | null {
    const key = itemKey('set', number);
    const title = titles.get(key) ?? '';
    if (!mayBeOther(name, title)) return null;
    const { keys } = findMatches([sets], searchTerms('set', name), { limit: 8, offset: 0 });
    const found = keys.map((each) => ({ number: each, title: titles.get(each) ?? '' }));
    return findBetterFit(name, { number: key, title }, found);
  }

  /** The numbers and names that are known under that number. */
  const namedIn = (path: string, columns: { readonly number: string; readonly name: string }) =>
    readPlainCsv(join(folder, path)).flatMap((row) => {
      const number = row[columns.number] ?? '';
      const name = row[columns.name] ?? '';
      return name !== '' && titles.has(itemKey('set', number)) ? [{ number, name }] : [];
    });

  const exported = () =>
    readdirSync(join(folder, 'brickset_csv_export_2022-09')).flatMap((name) =>
      namedIn(`brickset_csv_export_2022-09/${name}`, { number: 'Number', name: 'Set name' }),
    );

  test('of a Brickset export are asked about in one row of 1,000, besides other variants', () => {
    const rows = exported();
    expect(rows.length).toBeGreaterThan(7_500);
    const searched = rows.filter(({ number, name }) =>
      mayBeOther(name, titles.get(itemKey('set', number)) ?? ''),
    );
    expect(searched.length / rows.length).toBeLessThan(0.2);
    const asked = searched.flatMap(({ number, name }) => {
      const other = betterFit(number, name)?.number;
      return other === undefined ? [] : [{ number: itemKey('set', number), other }];
    });
    // Both services number the variants of some sets in another order.
    const others = asked.filter(({ number, other }) => variantBase(number) !== variantBase(other));
    expect(others.length / rows.length).toBeLessThan(0.001);
    expect(asked.length / rows.length).toBeLessThan(0.0025);
  });

  test('of a BrickEconomy collection, and of an earlier dump, are not asked about', () => {
    const rows = [
      ...namedIn('collection_exports/BrickEconomy-Sets_owned_2026-01.csv', {
        number: 'Number',
        name: 'Name',
      }),
      ...namedIn('rebrickable_2023-11-15/sets.csv', { number: 'set_num', name: 'name' }),
    ];
    expect(rows.length).toBeGreaterThan(20_000);
    const asked = rows.filter(({ number, name }) => betterFit(number, name) !== null);
    expect(asked).toEqual([]);
  });

  test('beside the number without its last digit are asked about in most rows', () => {
    const wrong = exported().flatMap(({ number, name }) => {
      const key = itemKey('set', number);
      const short = key.slice(0, -1);
      return titles.has(short) && !key.includes('-') ? [{ key, short, name }] : [];
    });
    expect(wrong.length).toBeGreaterThan(500);
    const asked = wrong.filter(({ key, short, name }) => betterFit(short, name)?.number === key);
    expect(asked.length / wrong.length).toBeGreaterThan(0.5);
    expect(betterFit('1029-1', 'Titanic')?.number).toBe('10294');
  });
});
