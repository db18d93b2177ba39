/** Classes, told from the words of each source. */
import { describe, expect, test } from 'bun:test';
import { type ClassHints, classOf, isFoundLast, isModeled, itemClasses } from './item-class.ts';

const told = (hints: Partial<ClassHints>) =>
  classOf({ number: '75192-1', title: 'Castle', theme: 'Castles', subtheme: null, ...hints });

describe('Brickset', () => {
  const normal = { category: 'Normal', packaging: 'Box', availability: 'Retail' };

  test('its category decides what is gear, a book or a set, whatever the theme', () => {
    expect(told({ ...normal })).toBe('set');
    expect(told({ ...normal, theme: 'Gear' })).toBe('set');
    expect(told({ ...normal, category: 'Gear' })).toBe('gear');
    expect(told({ ...normal, category: 'Book', theme: 'Technic' })).toBe('book');
    for (const category of ['Collection', 'Extended', 'Other', 'Random']) {
      expect(told({ ...normal, category })).toBe('set');
    }
  });

  test('packaging tells a polybag, availability and subtheme what is given away', () => {
    expect(told({ ...normal, packaging: 'Polybag' })).toBe('polybag');
    expect(told({ ...normal, packaging: 'Foil pack' })).toBe('set');
    for (const availability of ['Promotional', 'Promotional (Airline)', 'Not sold']) {
      expect(told({ ...normal, packaging: 'Polybag', availability })).toBe('promotional');
    }
    for (const subtheme of ['Magazine gift', 'Gift with Purchase', 'Employee Gift']) {
      expect(told({ ...normal, subtheme })).toBe('promotional');
    }
  });

  test('gear that was given away is gear', () => {
    expect(told({ category: 'Gear', availability: 'Promotional' })).toBe('gear');
  });
});

describe('catalogs without categories', () => {
  test('roots of themes tell gear, books and promotions', () => {
    expect(told({ theme: 'Gear', subtheme: 'Key Chain' })).toBe('gear');
    expect(told({ theme: 'Books', subtheme: 'Story Books' })).toBe('book');
    expect(told({ theme: 'Promotional ' })).toBe('promotional');
    expect(told({ theme: 'Town', subtheme: 'Classic Town / Promotional' })).toBe('promotional');
  });

  test('numbers tell books, names tell polybags and samples', () => {
    for (const number of ['ISBN9780751362022', '9780751362022-1', '9780751362022']) {
      expect(told({ number })).toBe('book');
    }
    expect(told({ number: '9780-1' })).toBeNull();
    expect(told({ title: 'Castle Gate polybag' })).toBe('polybag');
    expect(told({ title: 'Jewelry Sample polybag' })).toBe('sample');
    expect(told({ theme: 'Samples' })).toBe('sample');
  });

  test('what merely sounds alike says nothing', () => {
    expect(told({})).toBeNull();
    expect(told({ subtheme: 'Gears' })).toBeNull();
    expect(told({ title: 'Sampler Set' })).toBeNull();
    expect(told({ theme: 'The Book of Boba Fett' })).toBeNull();
    expect(told({ title: null, theme: null })).toBeNull();
  });
});

test('gear, books and gifts are found last; gear and books are not modeled', () => {
  expect(itemClasses.filter(isFoundLast)).toEqual(['promotional', 'gear', 'book']);
  expect(itemClasses.filter((some) => !isModeled(some))).toEqual(['gear', 'book']);
});
