/** Merging: the most trusted source that knows a field decides it. */
import { expect, test } from 'bun:test';
import { bareSet as bare } from '../../test/support/facts.ts';
import type { SetFacts } from './catalog.ts';
import { mergeFacts } from './merge.ts';

test('one record stays as it is', () => {
  const facts = { ...bare, pieces: 1500 };
  expect(mergeFacts([{ source: 'elsewhere', facts }])).toEqual(facts);
});

test('the feed decides what it knows, and others fill in what it does not', () => {
  const others = { source: 'another', facts: { ...bare, title: 'Burg', pieces: 1400, year: 2020 } };
  const feed = { source: 'feed', facts: { ...bare, title: 'Grand Castle', pieces: 1500 } };
  for (const records of [
    [others, feed],
    [feed, others],
  ]) {
    expect(mergeFacts(records)).toMatchObject({ title: 'Grand Castle', pieces: 1500, year: 2020 });
  }
});

test('sources without a rank decide in the order in which they come', () => {
  const records: { source: string; facts: SetFacts }[] = [
    { source: 'a', facts: { ...bare, upc: null, pieces: 10 } },
    { source: 'b', facts: { ...bare, upc: '036000291452', pieces: 20 } },
    { source: 'c', facts: { ...bare, upc: '673419000017', pieces: 30 } },
  ];
  expect(mergeFacts(records)).toMatchObject({ upc: '036000291452', pieces: 10 });
});

test('no pieces and an empty list are something that a source knows', () => {
  const records = [
    { source: 'feed', facts: { ...bare, pieces: 0, minifigs: [] } },
    { source: 'a', facts: { ...bare, pieces: 10, minifigs: ['cas001'] } },
  ];
  expect(mergeFacts(records)).toMatchObject({ pieces: 0, minifigs: [] });
});

test('merging leaves the records as they were', () => {
  const records = [
    { source: 'feed', facts: bare },
    { source: 'a', facts: { ...bare, pieces: 10 } },
  ];
  const before = structuredClone(records);
  mergeFacts(records);
  expect(records).toEqual(before);
});

test('an item without any record is a fault', () => {
  expect(() => mergeFacts([])).toThrow('no record');
});
