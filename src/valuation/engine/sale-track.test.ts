/** What is remembered of sales: how many, how far they scatter, and which did not fit. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { noon, sold } from '../../../test/support/valuation.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';
import { admitSales } from './admit.ts';
import { type QuarantinedSale, SaleTrack } from './sale-track.ts';

interface OddSale extends Partial<Omit<QuarantinedSale, 'row'>> {
  readonly day: number;
  readonly seller?: string | null;
}

/** A sale that did not fit, at half the price unless said otherwise. */
function odd({ day, seller = null, ...facts }: OddSale): QuarantinedSale {
  const sale: Partial<StoredSale> = { soldAt: noon + day * dayMs, seller };
  const [row] = admitSales([sold(sale)]);
  if (!row) throw new Error('A sale made no row.');
  return { row, log: 5, noise: 1, isAgain: false, sign: -1, isFar: false, ...facts };
}

/** How many of odd sales are taken in as each of them comes. */
const taken = (track: SaleTrack, sales: readonly OddSale[]) =>
  sales.map((sale) => track.quarantine(odd(sale)).length);

const days = (...list: number[]) => list.map((day) => ({ day }));

describe('counting', () => {
  const times = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });

  test('sales after an instant are counted, and one at that very instant is not', () => {
    const track = new SaleTrack(0.15);
    for (const at of [10, 20, 20, 30]) track.accept(at);
    expect([0, 10, 19, 20, 29, 30].map((after) => track.countSince(after))).toEqual([
      4, 3, 3, 1, 1, 0,
    ]);
  });

  test('sales are written down in order, in whatever order they come', () => {
    fc.assert(
      fc.property(times, (list) => {
        const track = new SaleTrack(0.15);
        for (const at of list) track.accept(at);
        expect(track.times).toEqual([...list].sort((a, b) => a - b));
      }),
      { seed: 200 },
    );
  });

  test('support is 0, 1, 3 or 10, by the sales of half a year', () => {
    fc.assert(
      fc.property(times, (list) => {
        const track = new SaleTrack(0.15);
        for (const day of list) track.accept(noon - day * dayMs);
        const count = list.filter((day) => day < 180).length;
        const wanted = [10, 3, 1].find((least) => count >= least) ?? 0;
        expect(track.supportAt(noon)).toBe(wanted);
      }),
      { seed: 201 },
    );
  });
});

describe('alarm', () => {
  /** After how many errors of one size it sounds. */
  function soundsAfter(error: number): number {
    const track = new SaleTrack(0.15);
    for (let count = 1; count < 100; count++) if (track.soundsAlarm(error)) return count;
    return Number.POSITIVE_INFINITY;
  }

  test('sounds when errors, less half of one each, add up to more than five', () => {
    // 0.5 each: 11 to be above 5. 1 each: 6. 2 each, which is the most: 3.
    expect([1, 1.5, 2.5, 9].map(soundsAfter)).toEqual([11, 6, 3, 3]);
    expect([-1, -1.5, -2.5, -9].map(soundsAfter)).toEqual([11, 6, 3, 3]);
    expect(soundsAfter(0.5)).toBe(Number.POSITIVE_INFINITY);
  });

  test('does not sound for errors that change direction', () => {
    const track = new SaleTrack(0.15);
    const sounds = Array.from({ length: 50 }, (_, i) => track.soundsAlarm(i % 2 ? 2.4 : -2.4));
    expect(sounds).not.toContain(true);
  });

  test('begins anew after it sounded, in both directions', () => {
    const track = new SaleTrack(0.15);
    const sounds = [3, 3, 3, 3, 3, 3, -3, -3, -3].map((error) => track.soundsAlarm(error));
    expect(sounds.map(Number)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });
});

describe('scatter', () => {
  test('is learned by an eighth from the first sale', () => {
    const track = new SaleTrack(0.2);
    track.learnScatter(0.3, 0.02, 2);
    // Of 0.09 / 2, half of 0.02 is the value's; 15 % are put back.
    expect(track.variance).toBeCloseTo((7 / 8) * 0.04 + (1 / 8) * 1.15 * 0.035, 12);
  });

  test('is learned by less from later ones, down to 1 in 48', () => {
    const track = new SaleTrack(0.2);
    for (let sale = 0; sale < 100; sale++) track.accept(sale);
    track.learnScatter(0.3, 0, 1);
    expect(track.variance).toBeCloseTo((47 / 48) * 0.04 + (1 / 48) * 1.15 * 0.09, 12);
  });

  test('grows little by a wild sale, and never shrinks to nothing', () => {
    const track = new SaleTrack(0.2);
    track.learnScatter(50, 0, 1);
    expect(track.variance).toBeCloseTo((7 / 8) * 0.04 + (1 / 8) * 1.15 * 6.25 * 0.04, 12);
    for (let sale = 0; sale < 500; sale++) track.learnScatter(0, 0, 1);
    expect(track.variance).toBeCloseTo(0.0025, 12);
  });
});

describe('a new level', () => {
  test('takes three odd sales that agree, and is taken in once', () => {
    const track = new SaleTrack(0.15);
    expect(taken(track, days(0, 5, 10, 15))).toEqual([0, 0, 3, 0]);
    expect(track.hasShifted).toBe(true);
  });

  test('ends what has added up towards an alarm', () => {
    const track = new SaleTrack(0.15);
    expect([9, 9].map((error) => track.soundsAlarm(error))).toEqual([false, false]);
    taken(track, days(0, 5, 10));
    expect([9, 9, 9].map((error) => track.soundsAlarm(error))).toEqual([false, false, true]);
  });

  test('takes five where the price is wholly different', () => {
    const far = days(0, 1, 2, 3, 4).map((sale) => ({ ...sale, isFar: true }));
    expect(taken(new SaleTrack(0.15), far)).toEqual([0, 0, 0, 0, 5]);
    const oneFar = [{ day: 0, isFar: true }, ...days(1, 2, 3)];
    expect(taken(new SaleTrack(0.15), oneFar)).toEqual([0, 0, 0, 0]);
  });

  test('takes sales within a year', () => {
    expect(taken(new SaleTrack(0.15), days(0, 30, 365))).toEqual([0, 0, 3]);
    expect(taken(new SaleTrack(0.15), days(0, 30, 366))).toEqual([0, 0, 0]);
    expect(taken(new SaleTrack(0.15), days(0, 30, 366, 367))).toEqual([0, 0, 0, 3]);
  });

  test('takes sales of one direction, within a quarter of the one in the middle', () => {
    const signs = [-1, 1, -1, 1, -1].map((sign, day) => ({ day, sign }));
    expect(taken(new SaleTrack(0.15), signs)).toEqual([0, 0, 0, 0, 3]);
    const logs = (...list: number[]) => list.map((log, day) => ({ day, log }));
    expect(taken(new SaleTrack(0.15), logs(5, 4.75, 5.25))).toEqual([0, 0, 3]);
    expect(taken(new SaleTrack(0.15), logs(5, 4.74, 5.25))).toEqual([0, 0, 0]);
  });

  test('takes two sellers; those that nobody names are different ones', () => {
    const by = (...sellers: (string | null)[]) => sellers.map((seller, day) => ({ day, seller }));
    expect(taken(new SaleTrack(0.15), by('a', 'a', 'a', 'a'))).toEqual([0, 0, 0, 0]);
    expect(taken(new SaleTrack(0.15), by('a', 'a', 'b'))).toEqual([0, 0, 3]);
    expect(taken(new SaleTrack(0.15), by('a', 'a', null))).toEqual([0, 0, 3]);
    expect(taken(new SaleTrack(0.15), by(null, null, null))).toEqual([0, 0, 3]);
  });

  test('is not taken in while sales at the old level go on', () => {
    // The error of the ordinary sale after the first odd one, and whether that spoke against it.
    for (const [error, isContrary] of [
      [0, true],
      [-0.9, true],
      [2, true],
      [-1, false],
      [-1.1, false],
    ] as const) {
      const track = new SaleTrack(0.15);
      taken(track, days(0, 1));
      track.noteLevel(noon + 1.5 * dayMs, error);
      expect(taken(track, days(2))).toEqual([isContrary ? 0 : 3]);
    }
  });

  test('above is spoken against by what is not high', () => {
    const up = (day: number) => ({ day, sign: 1 });
    for (const [error, count] of [
      [-2, 0],
      [0.9, 0],
      [1, 3],
      [1.1, 3],
    ] as const) {
      const track = new SaleTrack(0.15);
      taken(track, [up(0), up(1)]);
      track.noteLevel(noon + 1.5 * dayMs, error);
      expect(taken(track, [up(2)])).toEqual([count]);
    }
  });

  test('is not hindered by an ordinary sale before the first odd one', () => {
    const track = new SaleTrack(0.15);
    track.noteLevel(noon - 1, 0);
    expect(taken(track, days(0, 1, 2))).toEqual([0, 0, 3]);
    const late = new SaleTrack(0.15);
    taken(late, days(0));
    late.noteLevel(noon + 0.5 * dayMs, 0);
    // An earlier ordinary sale that is told of later does not take that back.
    late.noteLevel(noon - dayMs, 0);
    expect(taken(late, days(1, 2))).toEqual([0, 0]);
  });
});
