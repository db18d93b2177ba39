/** Merging: each field is taken from the first source in its order that knows it. */
import { describe, expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import type { MinifigFacts, SetDescription } from './catalog.ts';
import { mergeMinifig, mergeSet, minifigLister, setDeciders } from './merge.ts';

const record = (source: string, facts: Partial<SetDescription>) => ({
  source,
  facts: aSet(facts),
});

/** A source that only supplements others. */
const added = (source: string, facts: Partial<SetDescription>) =>
  record(source, { title: null, theme: null, ...facts });

const box = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

test('a single record is unchanged', () => {
  const facts = aSet({ pieces: 1500 });
  expect(mergeSet([{ source: 'elsewhere', facts }])).toEqual(facts);
  const minifig = aMinifig({});
  expect(mergeMinifig([{ source: 'elsewhere', facts: minifig }])).toBe(minifig);
});

test('the feed takes precedence, and others fill in what it does not know', () => {
  const others = record('another', { title: 'Burg', pieces: 1400, year: 2020 });
  const feed = record('feed', { title: 'Grand Castle', pieces: 1500 });
  for (const records of [
    [others, feed],
    [feed, others],
  ]) {
    expect(mergeSet(records)).toMatchObject({ title: 'Grand Castle', pieces: 1500, year: 2020 });
  }
});

test('each field has its own order of sources', () => {
  const records = ['bricklink', 'brickset', 'keepa', 'rebrickable'].map((source, index) =>
    record(source, { title: source, minifigs: [source], msrpCents: index, imageUrl: source }),
  );
  expect(mergeSet(records)).toMatchObject({
    title: 'rebrickable',
    minifigs: ['brickset'],
    msrpCents: 1,
    imageUrl: 'rebrickable',
  });
});

test('unranked sources are ordered by name', () => {
  const records = [
    record('c', { upc: '673419000017', pieces: 30 }),
    record('b', { upc: '036000291452', pieces: 20 }),
    record('a', { upc: null, pieces: 10 }),
  ];
  expect(mergeSet(records)).toMatchObject({ upc: '036000291452', pieces: 10 });
});

test('0 pieces and an empty list are known values', () => {
  const records = [
    record('feed', { pieces: 0, minifigs: [] }),
    record('a', { pieces: 10, minifigs: ['cas001'] }),
  ];
  expect(mergeSet(records)).toMatchObject({ pieces: 0, minifigs: [] });
});

describe('fields that are taken together', () => {
  test('the subtheme comes from the source of the theme', () => {
    const records = [
      record('rebrickable', { theme: 'Castle', subtheme: null }),
      record('brickset', { theme: 'Knights', subtheme: 'Crown' }),
    ];
    expect(mergeSet(records)).toMatchObject({ theme: 'Castle', subtheme: null });
    expect(setDeciders(records).has('subtheme')).toBe(false);
  });

  test('the sides of a box come from one source that knows all three, the weight separately', () => {
    const records = [
      record('brickset', { box: { ...box, widthIn: 1, weightLbs: 9 } }),
      added('keepa', { box: { widthIn: 10, heightIn: 11, depthIn: 12, weightLbs: 13 } }),
    ];
    expect(mergeSet(records).box).toEqual({ widthIn: 10, heightIn: 11, depthIn: 12, weightLbs: 9 });
  });

  test('if no source knows all three sides, each is the first that is known', () => {
    const records = [
      record('brickset', { box: { ...box, widthIn: 1 } }),
      added('keepa', { box: { ...box, widthIn: 10, depthIn: 12 } }),
    ];
    expect(mergeSet(records).box).toEqual({ ...box, widthIn: 1, depthIn: 12 });
  });

  test('a box without any known part is null', () => {
    expect(mergeSet([record('a', { box }), record('b', {})]).box).toBeNull();
  });
});

test('a source that does not name a set supplements it', () => {
  const records = [
    record('rebrickable', { title: 'Castle' }),
    added('keepa', { msrpCents: 99_99 }),
  ];
  expect(mergeSet(records)).toMatchObject({ title: 'Castle', theme: 'Castles', msrpCents: 99_99 });
});

test('the theme has its canonical spelling, whatever its source', () => {
  expect(mergeSet([record('bricklink', { theme: 'NINJAGO' })]).theme).toBe('Ninjago');
  const records = [record('brickset', { theme: 'tbd' }), record('keepa', { theme: null })];
  expect(mergeSet(records).theme).toBe('Other');
});

test('pieces are those of the box, not those of a list of parts', () => {
  const parts = record('rebrickable', { title: 'Castle', pieces: 1510 });
  const ofBox = record('brickset-flat', { title: 'Burg', pieces: 1500 });
  expect(mergeSet([parts, ofBox])).toMatchObject({ title: 'Castle', pieces: 1500 });
  expect(mergeSet([parts, record('brickset-flat', { pieces: null })]).pieces).toBe(1510);
});

describe('the number of minifigs', () => {
  const inventory = record('rebrickable', { minifigs: ['a', 'b', 'c'], minifigsCount: 2 });
  const countOf = (...records: ReturnType<typeof record>[]) => ({
    count: mergeSet(records).minifigsCount,
    source: setDeciders(records).get('minifigsCount')?.source ?? null,
  });

  test('is the number of the box if it is at least that of different minifigs', () => {
    const box = (minifigsCount: number) => record('brickset-flat', { minifigsCount });
    expect(countOf(box(5), inventory)).toEqual({ count: 5, source: 'brickset-flat' });
    expect(countOf(box(3), inventory)).toEqual({ count: 3, source: 'brickset-flat' });
    expect(countOf(box(2), inventory)).toEqual({ count: 2, source: 'rebrickable' });
    expect(countOf(box(0), inventory)).toEqual({ count: 2, source: 'rebrickable' });
  });

  test('is otherwise that of an inventory, even if its list has replaced minifigs too', () => {
    expect(countOf(inventory)).toEqual({ count: 2, source: 'rebrickable' });
    const many = record('bricklink-inventory', { minifigs: ['a'], minifigsCount: 4 });
    expect(countOf(inventory, many)).toEqual({ count: 4, source: 'bricklink-inventory' });
  });

  test('is the length of a list without a usable count', () => {
    expect(countOf(record('a', { minifigs: ['a', 'b'], minifigsCount: 1 })).count).toBe(2);
    expect(countOf(record('a', { minifigs: ['a', 'b'] }), record('b', {}))).toEqual({
      count: 2,
      source: null,
    });
    expect(countOf(record('a', { minifigs: [] })).count).toBe(0);
  });

  test('is the first count if there is no list, and null if there is none', () => {
    const records = [record('brickset-flat', { minifigsCount: 7 }), record('rebrickable', {})];
    expect(mergeSet(records).minifigsCount).toBe(7);
    expect(mergeSet([record('a', {})]).minifigsCount).toBeNull();
  });
});

describe('conflicting retirements', () => {
  const release = { releaseDate: '2020-03-01', retireDate: '2021-12-31' };

  test('one within two years of the release yields to the latest', () => {
    const records = [
      record('brickset-full', release),
      record('brickset-flat', { retireDate: '2022-02-15' }),
      record('brickset-export', { retireDate: '2022-06-30' }),
      record('keepa', { retireDate: '2021-01-31' }),
    ];
    expect(mergeSet(records).retireDate).toBe('2022-06-30');
    expect(setDeciders(records).get('retireDate')?.source).toBe('brickset-export');
    // A source with the same date does not replace the decider.
    const sources = ['brickset-full', 'brickset-flat', 'brickset-export'];
    const same = sources.map((source) => record(source, release));
    expect(setDeciders(same).get('retireDate')?.source).toBe('brickset-full');
  });

  test("one after two years yields to a later observation of LEGO's own shop", () => {
    const records = [
      record('brickset-full', { ...release, retireDate: '2022-12-31' }),
      record('brickset-export', { retireDate: '2025-12-31' }),
      record('brickset-flat', { retireDate: '2024-02-15' }),
    ];
    expect(mergeSet(records).retireDate).toBe('2024-02-15');
    expect(setDeciders(records).get('retireDate')?.source).toBe('brickset-flat');
  });

  test('one after two years otherwise stands, as does one without a later date', () => {
    const later = record('brickset-export', { retireDate: '2024-02-15' });
    const lasting = { ...release, retireDate: '2022-03-02' };
    expect(mergeSet([record('feed', lasting), later]).retireDate).toBe('2022-03-02');
    const earlier = record('brickset-flat', { retireDate: '2021-02-15' });
    expect(mergeSet([record('feed', release), earlier]).retireDate).toBe('2021-12-31');
  });

  test('if only the year is known, its start counts', () => {
    const year = record('feed', { year: 2020, retireDate: '2021-12-30' });
    const later = record('brickset-flat', { retireDate: '2024-02-15' });
    expect(mergeSet([year, later]).retireDate).toBe('2024-02-15');
  });
});

describe('a set that a shop still has', () => {
  const release = { releaseDate: '2017-09-14', year: 2017 };
  const onSale = record('brickset-flat', { isOnSale: true });

  test('has not retired, despite plans of lower-ranked sources', () => {
    const planned = record('brickset-export', { ...release, retireDate: '2023-12-31' });
    expect(mergeSet([planned, onSale])).toMatchObject({ retireDate: null, isOnSale: true });
    expect(setDeciders([planned, onSale]).get('isOnSale')).toBe(onSale);
  });

  test('has retired if a higher-ranked source knows the day', () => {
    const known = record('feed', { ...release, retireDate: '2023-12-31' });
    expect(mergeSet([onSale, known])).toMatchObject({ retireDate: '2023-12-31', isOnSale: null });
  });

  test('has not retired if that day is within two years of the release', () => {
    const early = record('feed', { ...release, retireDate: '2018-12-31' });
    expect(mergeSet([onSale, early])).toMatchObject({ retireDate: null, isOnSale: true });
  });
});

describe('class', () => {
  test('is taken from the first source that has one', () => {
    const records = [
      record('rebrickable', { itemClass: 'gear' }),
      record('brickset-export', { itemClass: null }),
      record('brickset-flat', { itemClass: 'promotional' }),
    ];
    expect(mergeSet(records).itemClass).toBe('promotional');
  });

  test('is otherwise derived from the merged facts, and is a set by default', () => {
    expect(mergeSet([record('a', { itemClass: null })]).itemClass).toBe('set');
    expect(mergeSet([record('a', { itemClass: null, theme: 'Gear' })]).itemClass).toBe('gear');
  });
});

test('a minifig has the aliases of all sources', () => {
  const minifig = (source: string, facts: Partial<MinifigFacts>) => ({
    source,
    facts: aMinifig(facts),
  });
  const records = [
    minifig('rebrickable', { name: 'Knight, red', yearReleased: 2020, aliases: ['a', 'b'] }),
    minifig('bricklink', { name: 'Red Knight', aliases: ['b', 'c'] }),
  ];
  expect(mergeMinifig(records)).toEqual(
    aMinifig({
      name: 'Red Knight',
      yearReleased: 2020,
      aliases: ['a', 'b', 'c'],
    }),
  );
});

test('merging does not modify the records', () => {
  const records = [record('feed', {}), record('a', { pieces: 10 })];
  const before = structuredClone(records);
  mergeSet(records);
  expect(records).toEqual(before);
});

test('an item without records, or that no source names, throws', () => {
  expect(() => mergeSet([])).toThrow('no record');
  expect(() => mergeMinifig([])).toThrow('no record');
  expect(() => mergeSet([added('keepa', {})])).toThrow('No source names the set 75192');
  expect(() => mergeSet([added('a', {}), added('b', {})])).toThrow('No source names');
});

test('the list of minifigs comes from the first source in its order that has one', () => {
  const [bricklink, brickset, none] = [
    record('bricklink', { minifigs: ['a'] }),
    record('brickset', { minifigs: ['b'] }),
    record('rebrickable', {}),
  ];
  expect(minifigLister([none, bricklink, brickset])).toBe('brickset');
  expect(minifigLister([none, bricklink])).toBe('bricklink');
  expect(minifigLister([none])).toBeNull();
});
