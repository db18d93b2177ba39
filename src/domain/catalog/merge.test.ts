/** Merging: for each field, the first source in its order that knows it decides. */
import { describe, expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import type { MinifigFacts, SetDescription } from './catalog.ts';
import { mergeMinifig, mergeSet, minifigLister, setDeciders } from './merge.ts';

const said = (source: string, facts: Partial<SetDescription>) => ({
  source,
  facts: aSet(facts),
});

/** A source that only adds. */
const added = (source: string, facts: Partial<SetDescription>) =>
  said(source, { title: null, theme: null, ...facts });

const box = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

test('one record stays as it is', () => {
  const facts = aSet({ pieces: 1500 });
  expect(mergeSet([{ source: 'elsewhere', facts }])).toEqual(facts);
});

test('the feed decides what it knows, and others fill in what it does not', () => {
  const others = said('another', { title: 'Burg', pieces: 1400, year: 2020 });
  const feed = said('feed', { title: 'Grand Castle', pieces: 1500 });
  for (const records of [
    [others, feed],
    [feed, others],
  ]) {
    expect(mergeSet(records)).toMatchObject({ title: 'Grand Castle', pieces: 1500, year: 2020 });
  }
});

test('each field has an order of its own', () => {
  const records = ['bricklink', 'brickset', 'keepa', 'rebrickable'].map((source, index) =>
    said(source, { title: source, minifigs: [source], msrpCents: index, imageUrl: source }),
  );
  expect(mergeSet(records)).toMatchObject({
    title: 'rebrickable',
    minifigs: ['brickset'],
    msrpCents: 1,
    imageUrl: 'rebrickable',
  });
});

test('sources without a rank decide in the order of their names', () => {
  const records = [
    said('c', { upc: '673419000017', pieces: 30 }),
    said('b', { upc: '036000291452', pieces: 20 }),
    said('a', { upc: null, pieces: 10 }),
  ];
  expect(mergeSet(records)).toMatchObject({ upc: '036000291452', pieces: 10 });
});

test('no pieces and an empty list are something that a source knows', () => {
  const records = [
    said('feed', { pieces: 0, minifigs: [] }),
    said('a', { pieces: 10, minifigs: ['cas001'] }),
  ];
  expect(mergeSet(records)).toMatchObject({ pieces: 0, minifigs: [] });
});

describe('together', () => {
  test('the subtheme is that of the source which decides the theme', () => {
    const records = [
      said('rebrickable', { theme: 'Castle', subtheme: null }),
      said('brickset', { theme: 'Knights', subtheme: 'Crown' }),
    ];
    expect(mergeSet(records)).toMatchObject({ theme: 'Castle', subtheme: null });
    expect(setDeciders(records).has('subtheme')).toBe(false);
  });

  test('the sides of a box come from one source that knows all three, the weight by itself', () => {
    const records = [
      said('brickset', { box: { ...box, widthIn: 1, weightLbs: 9 } }),
      added('keepa', { box: { widthIn: 10, heightIn: 11, depthIn: 12, weightLbs: 13 } }),
    ];
    expect(mergeSet(records).box).toEqual({ widthIn: 10, heightIn: 11, depthIn: 12, weightLbs: 9 });
  });

  test('where no source knows all three sides, each is the first that is known', () => {
    const records = [
      said('brickset', { box: { ...box, widthIn: 1 } }),
      added('keepa', { box: { ...box, widthIn: 10, depthIn: 12 } }),
    ];
    expect(mergeSet(records).box).toEqual({ ...box, widthIn: 1, depthIn: 12 });
  });

  test('a box of which nobody knows anything is none', () => {
    expect(mergeSet([said('a', { box }), said('b', {})]).box).toBeNull();
  });
});

test('a source that does not name a set adds what it knows', () => {
  const records = [said('rebrickable', { title: 'Castle' }), added('keepa', { msrpCents: 99_99 })];
  expect(mergeSet(records)).toMatchObject({ title: 'Castle', theme: 'Castles', msrpCents: 99_99 });
});

test('the theme is in the spelling that is shown, whoever decides it', () => {
  expect(mergeSet([said('bricklink', { theme: 'NINJAGO' })]).theme).toBe('Ninjago');
  const records = [said('brickset', { theme: 'tbd' }), said('keepa', { theme: null })];
  expect(mergeSet(records).theme).toBe('Other');
});

describe('how many minifigs', () => {
  test('who lists them counts them, whoever else does', () => {
    const records = [
      said('brickset-flat', { minifigsCount: 7 }),
      said('rebrickable', { minifigs: ['a', 'b'], minifigsCount: 5 }),
    ];
    expect(mergeSet(records)).toMatchObject({ minifigs: ['a', 'b'], minifigsCount: 5 });
    expect(setDeciders(records).get('minifigsCount')?.source).toBe('rebrickable');
  });

  test('a list without a count is its own count, and is never longer than the count', () => {
    const flat = said('brickset-flat', { minifigsCount: 7 });
    const listed = said('rebrickable', { minifigs: ['a', 'b'] });
    expect(mergeSet([flat, listed]).minifigsCount).toBe(2);
    expect(setDeciders([flat, listed]).has('minifigsCount')).toBe(false);
    expect(mergeSet([said('a', { minifigs: ['a', 'b'], minifigsCount: 1 })]).minifigsCount).toBe(2);
    expect(mergeSet([said('a', { minifigs: [] })]).minifigsCount).toBe(0);
  });

  test('without a list the first count stands, and nothing known stays unknown', () => {
    const records = [said('brickset-flat', { minifigsCount: 7 }), said('rebrickable', {})];
    expect(mergeSet(records).minifigsCount).toBe(7);
    expect(mergeSet([said('a', {})]).minifigsCount).toBeNull();
  });
});

describe('retirements that disagree', () => {
  const release = { releaseDate: '2020-03-01', retireDate: '2021-12-31' };

  test('one within two years of the release gives way to the latest', () => {
    const records = [
      said('brickset-full', release),
      said('brickset-flat', { retireDate: '2022-02-15' }),
      said('brickset-export', { retireDate: '2022-06-30' }),
      said('keepa', { retireDate: '2021-01-31' }),
    ];
    expect(mergeSet(records).retireDate).toBe('2022-06-30');
    expect(setDeciders(records).get('retireDate')?.source).toBe('brickset-export');
    // Who says the same as the one that decides does not take its place.
    const sources = ['brickset-full', 'brickset-flat', 'brickset-export'];
    const same = sources.map((source) => said(source, release));
    expect(setDeciders(same).get('retireDate')?.source).toBe('brickset-full');
  });

  test("one after two years gives way to a day on which LEGO's own shop was seen with it", () => {
    const records = [
      said('brickset-full', { ...release, retireDate: '2022-12-31' }),
      said('brickset-export', { retireDate: '2025-12-31' }),
      said('brickset-flat', { retireDate: '2024-02-15' }),
    ];
    expect(mergeSet(records).retireDate).toBe('2024-02-15');
    expect(setDeciders(records).get('retireDate')?.source).toBe('brickset-flat');
  });

  test('else one after two years stands, and so does one of which nobody says later', () => {
    const later = said('brickset-export', { retireDate: '2024-02-15' });
    const lasting = { ...release, retireDate: '2022-03-02' };
    expect(mergeSet([said('feed', lasting), later]).retireDate).toBe('2022-03-02');
    const earlier = said('brickset-flat', { retireDate: '2021-02-15' });
    expect(mergeSet([said('feed', release), earlier]).retireDate).toBe('2021-12-31');
  });

  test('where only the year is known, its start counts', () => {
    const year = said('feed', { year: 2020, retireDate: '2021-12-30' });
    const later = said('brickset-flat', { retireDate: '2024-02-15' });
    expect(mergeSet([year, later]).retireDate).toBe('2024-02-15');
  });
});

describe('a set that a shop still has', () => {
  const release = { releaseDate: '2017-09-14', year: 2017 };
  const onSale = said('brickset-flat', { isOnSale: true });

  test('has not retired, whatever sources after that one planned', () => {
    const planned = said('brickset-export', { ...release, retireDate: '2023-12-31' });
    expect(mergeSet([planned, onSale])).toMatchObject({ retireDate: null, isOnSale: true });
    expect(setDeciders([planned, onSale]).get('isOnSale')).toBe(onSale);
  });

  test('has retired when a source before that one knows the day', () => {
    const known = said('feed', { ...release, retireDate: '2023-12-31' });
    expect(mergeSet([onSale, known])).toMatchObject({ retireDate: '2023-12-31', isOnSale: null });
  });

  test('has not when that day is within two years of the release', () => {
    const early = said('feed', { ...release, retireDate: '2018-12-31' });
    expect(mergeSet([onSale, early])).toMatchObject({ retireDate: null, isOnSale: true });
  });
});

describe('class', () => {
  test('the first source that says it decides', () => {
    const records = [
      said('rebrickable', { itemClass: 'gear' }),
      said('brickset-export', { itemClass: null }),
      said('brickset-flat', { itemClass: 'promotional' }),
    ];
    expect(mergeSet(records).itemClass).toBe('promotional');
  });

  test('where no source says it, the merged facts do, and an ordinary set is a set', () => {
    expect(mergeSet([said('a', { itemClass: null })]).itemClass).toBe('set');
    expect(mergeSet([said('a', { itemClass: null, theme: 'Gear' })]).itemClass).toBe('gear');
  });
});

test('a minifig has the aliases that any source gives it', () => {
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

test('merging leaves the records as they were', () => {
  const records = [said('feed', {}), said('a', { pieces: 10 })];
  const before = structuredClone(records);
  mergeSet(records);
  expect(records).toEqual(before);
});

test('an item without any record, or that no source names, is a fault', () => {
  expect(() => mergeSet([])).toThrow('no record');
  expect(() => mergeMinifig([])).toThrow('no record');
  expect(() => mergeSet([added('keepa', {})])).toThrow('No source names the set 75192');
  expect(() => mergeSet([added('a', {}), added('b', {})])).toThrow('No source names');
});

test('the list of minifigs is that of the first source in its order that has one', () => {
  const [bricklink, brickset, none] = [
    said('bricklink', { minifigs: ['a'] }),
    said('brickset', { minifigs: ['b'] }),
    said('rebrickable', {}),
  ];
  expect(minifigLister([none, bricklink, brickset])).toBe('brickset');
  expect(minifigLister([none, bricklink])).toBe('bricklink');
  expect(minifigLister([none])).toBeNull();
});
