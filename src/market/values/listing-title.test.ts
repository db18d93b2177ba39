/** Titles of sold listings: accepted ones are right, and doubtful ones are rejected. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayBeAnotherSet, readListing, setNumbersIn } from './listing-title.ts';

const fixtures = join(import.meta.dir, '..', '..', '..', 'test', 'fixtures');

/**
 * Realistic titles, invented and labeled by hand: eBay's condition ID, the title, the name of the
 * set, and what was sold, or `-` if it was not one whole set.
 */
const labeled = readFileSync(join(fixtures, 'listing-titles.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [id = '', title = '', set = '', label = ''] = line.split(' | ');
    return { title, conditionId: id === '-' ? null : id, set, label };
  });

/** The result of the rules, in the form of the labels. */
function read({ title, conditionId, set }: (typeof labeled)[number]): string {
  const reading = readListing({ title, conditionId }, { title: set });
  return 'problem' in reading ? '-' : `${reading.condition} ${reading.completeness}`;
}

describe('labeled titles', () => {
  const results = labeled.map((row) => ({ ...row, result: read(row) }));
  const accepted = results.filter(({ result }) => result !== '-');
  const whole = results.filter(({ label }) => label !== '-');

  test('accepted titles are right except two parts described as complete or new', () => {
    expect(
      accepted.filter(({ result, label }) => result !== label).map(({ title }) => title),
    ).toEqual([
      'LEGO 10194 Emerald Night tender complete',
      'LEGO 21318 Tree House brand new leaves pack 185 pcs',
    ]);
  });

  test('precision and recall are as documented in docs/sources/ebay.md', () => {
    const right = whole.filter(({ result, label }) => result === label).length;
    expect([labeled.length, whole.length, accepted.length, right]).toEqual([148, 75, 68, 66]);
  });
});

describe('the reason', () => {
  const cases: readonly (readonly [id: string | null, title: string, problem: string])[] = [
    ['1000', 'Castle 6080 new sealed', 'the title does not say LEGO'],
    ['1000', 'LEGO 6080 sealed x3', 'it may be for several sets'],
    ['3000', 'LEGO 6080 complete, no minifigs', 'the minifigs are not included'],
    ['3000', 'LEGO knight minifigure 6080', 'it may be only a minifig'],
    ['3000', 'LEGO 6080 instructions', 'it may be only a part of the set'],
    ['3000', 'LEGO 6080 nearly complete', 'something may be missing'],
    ['1000', 'LEGO compatible 6080 sealed', 'it may not be by LEGO'],
    ['1000', 'Light kit for LEGO 6080', 'it may be an accessory of the set'],
    ['1000', 'LEGO 6080 all bags sealed', 'it may be bags without their box'],
    ['1000', 'LEGO 6080 new', 'the title does not say that it is sealed'],
    ['1500', 'LEGO 6080 open box, sealed', 'it may be sealed or used'],
    ['3000', 'LEGO 6080 sealed', 'its title says sealed, but its condition is used'],
    ['3000', 'LEGO 6080 great', 'the title does not say that it is complete'],
    ['7000', 'LEGO 6080', 'it is sold for parts'],
    [null, 'LEGO 6080 complete', 'its condition is not stated'],
  ];
  test.each(cases)("rejects condition %p with the title '%s'", (conditionId, title, problem) => {
    expect(readListing({ title, conditionId }, { title: '' })).toEqual({ problem });
  });
});

test.each([
  ['999', 'sealed'],
  ['1000', 'sealed'],
  ['1999', 'sealed'],
  ['2000', 'its title says sealed, but its condition is used'],
  ['6000', 'its title says sealed, but its condition is used'],
  ['6001', 'sealed'],
  ['7000', 'it is sold for parts'],
  [null, 'sealed'],
])('a title that says sealed, with condition ID %s: %s', (conditionId, expected) => {
  const reading = readListing({ title: 'LEGO 6080 sealed', conditionId }, { title: '' });
  expect('problem' in reading ? reading.problem : reading.condition).toBe(expected);
});

test.each([
  ['1000', 'LEGO 6080 sealed', 'sealed complete'],
  ['1000', 'LEGO 6080 sealed, box has a dent', 'sealed damaged_box'],
  ['1000', 'LEGO 6080 sealed, no instructions', 'sealed no_instructions'],
  ['3000', 'LEGO 6080 complete', 'used complete'],
  ['3000', 'LEGO 6080 complete, box has a dent', 'used complete'],
  ['3000', 'LEGO 6080 complete, no box', 'used no_box'],
  ['3000', 'LEGO 6080 complete, without box or instructions', 'used no_box'],
  ['3000', 'LEGO 6080 complete, missing manual', 'used no_instructions'],
  ['3000', 'LEGO 6080 with box', 'used unknown'],
  ['3000', 'LEGO 6080 100% instructions included', 'used complete'],
  [null, 'LEGO 6080 used, complete', 'used complete'],
])('with condition ID %s, %s is %s', (conditionId, title, expected) => {
  expect(read({ title, conditionId, set: '', label: '' })).toBe(expected);
});

test("words of the set's own name are ignored", () => {
  const listing = { title: 'LEGO 60389 CUSTOM CAR GARAGE sealed', conditionId: '1000' };
  expect(readListing(listing, { title: 'Custom Car Garage' })).toEqual({
    condition: 'sealed',
    completeness: 'complete',
  });
  expect(readListing(listing, { title: 'Garage' })).toEqual({ problem: 'it may not be by LEGO' });
});

describe('numbers', () => {
  test.each([
    ['LEGO 75192-1 Falcon 7541 pcs (6175770)', ['75192-1', '6175770']],
    ['LEGO 10294 Titanic 9,090 pieces $1,299.00 2021', ['10294', '2021']],
    ['LEGO 928 Galaxy Explorer', []],
  ])("finds the numbers of sets in '%s'", (title, numbers) => {
    expect(setNumbersIn(title)).toEqual(numbers);
  });

  test('numbers of five and six digits may be another set; years, counts and codes are not', () => {
    const others = ['2021', '71799', '910001', '71799-2', '6175770'].filter(mayBeAnotherSet);
    expect(others).toEqual(['71799', '910001', '71799-2']);
  });
});

test('at most twenty numbers of a title are read', () => {
  const numbers = Array.from({ length: 21 }, (_, index) => String(1_001 + index));
  expect(setNumbersIn(numbers.join(' '))).toEqual(numbers.slice(0, 20));
});
