/** Classes derived from the terms of each source. */
import { describe, expect, test } from 'bun:test';
import { type ClassHints, classOf, isModeled, itemClasses, ranksLast } from './item-class.ts';

const classFrom = (hints: Partial<ClassHints>) =>
  classOf({ number: '75192-1', title: 'Castle', theme: 'Castles', subtheme: null, ...hints });

describe('Brickset', () => {
  const normal = { category: 'Normal', packaging: 'Box', availability: 'Retail' };

  test('the category decides between gear, books and sets, whatever the theme', () => {
    expect(classFrom({ ...normal })).toBe('set');
    expect(classFrom({ ...normal, theme: 'Gear' })).toBe('set');
    expect(classFrom({ ...normal, category: 'Gear' })).toBe('gear');
    expect(classFrom({ ...normal, category: 'Book', theme: 'Technic' })).toBe('book');
    for (const category of ['Collection', 'Extended', 'Other', 'Random']) {
      expect(classFrom({ ...normal, category })).toBe('set');
    }
  });

  test('packaging identifies polybags, availability and subtheme giveaways', () => {
    expect(classFrom({ ...normal, packaging: 'Polybag' })).toBe('polybag');
    expect(classFrom({ ...normal, packaging: 'Foil pack' })).toBe('set');
    for (const availability of ['Promotional', 'Promotional (Airline)', 'Not sold']) {
      expect(classFrom({ ...normal, packaging: 'Polybag', availability })).toBe('promotional');
    }
    for (const subtheme of ['Magazine gift', 'Gift with Purchase', 'Employee Gift']) {
      expect(classFrom({ ...normal, subtheme })).toBe('promotional');
    }
  });

  test('gear that was given away is gear', () => {
    expect(classFrom({ category: 'Gear', availability: 'Promotional' })).toBe('gear');
  });
});

describe('catalogs without categories', () => {
  test('top-level themes identify gear, books and promotions', () => {
    expect(classFrom({ theme: 'Gear', subtheme: 'Key Chain' })).toBe('gear');
    expect(classFrom({ theme: 'Books', subtheme: 'Story Books' })).toBe('book');
    expect(classFrom({ theme: 'Promotional ' })).toBe('promotional');
    expect(classFrom({ theme: 'Town', subtheme: 'Classic Town / Promotional' })).toBe(
      'promotional',
    );
  });

  test('numbers identify books, names polybags and samples', () => {
    for (const number of ['ISBN9780751362022', '9780751362022-1', '9780751362022']) {
      expect(classFrom({ number })).toBe('book');
    }
    expect(classFrom({ number: '9780-1' })).toBeNull();
    expect(classFrom({ title: 'Castle Gate polybag' })).toBe('polybag');
    expect(classFrom({ title: 'Jewelry Sample polybag' })).toBe('sample');
    expect(classFrom({ theme: 'Samples' })).toBe('sample');
  });

  test('similar words do not match', () => {
    expect(classFrom({})).toBeNull();
    expect(classFrom({ subtheme: 'Gears' })).toBeNull();
    expect(classFrom({ title: 'Sampler Set' })).toBeNull();
    expect(classFrom({ theme: 'The Book of Boba Fett' })).toBeNull();
    expect(classFrom({ title: null, theme: null })).toBeNull();
  });
});

test('single days of advent calendars are listed last in searches, the calendars are not', () => {
  expect(ranksLast('set', 'Advent Calendar 1999 (Day  9) - Fire Engine')).toBe(true);
  expect(ranksLast('set', 'Advent Calendar 1999')).toBe(false);
  expect(ranksLast('set', 'World Play Day 2023')).toBe(false);
  expect(ranksLast(null, 'Figure (Day 9)')).toBe(false);
});

test('gear, books and gifts are listed last in searches; gear and books are not modeled', () => {
  const last = itemClasses.filter((some) => ranksLast(some, 'Castle'));
  expect(last).toEqual(['promotional', 'gear', 'book']);
  expect(itemClasses.filter((some) => !isModeled(some))).toEqual(['gear', 'book']);
});
