/** Net proceeds of FBA sales: every fee computed by hand, at and just beyond each limit. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Box } from '../../catalog/items/catalog.ts';
import { fbaBoxFees, netFbaCents, nextFeeChange, nextPeakChange, storedBox } from './fba.ts';

const january = Date.UTC(2026, 0, 15);
const april = Date.UTC(2026, 3, 17);

function box(widthIn: number, heightIn: number, depthIn: number, weightLbs: number): Box {
  return { widthIn, heightIn, depthIn, weightLbs };
}

/** Only the fulfillment fee, without surcharge: a sale at $20 also has a referral fee of $3. */
function fulfilment(...sizes: Parameters<typeof box>): number {
  return 20_00 - 3_00 - (netFbaCents(20_00, box(...sizes), january) ?? Number.NaN);
}

describe('whole sales with the surcharge', () => {
  test('a light box is charged by dimensional weight: 175 in³ count as 1.26 lb, so 1.5 lb', () => {
    // 29.99 − 4.50 − 5.42 × 1.035
    expect(netFbaCents(29_99, box(10, 7, 2.5, 0.9), april)).toBe(19_88);
  });

  test('a box wider than 14 in is bulky: 1,014 in³ count as 7.29 lb, so 8 lb', () => {
    // 99.99 − 15.00 − (7.55 + 7 × 0.38) × 1.035
    expect(netFbaCents(99_99, box(18.9, 14.9, 3.6, 4.5), april)).toBe(74_42);
  });

  test('half a cent is rounded up', () => {
    // 9.99 − 1.50 − 5.175
    expect(netFbaCents(9_99, box(4, 4, 1, 2), april)).toBe(3_31);
    // 10.10 − 1.515 − 3.32
    expect(netFbaCents(10_10, box(6, 5, 0.5, 0.1), january)).toBe(5_26);
  });

  test('fees above the price yield a loss', () => {
    // 9.99 − 1.50 − (6.78 + 49 × 0.38)
    expect(netFbaCents(9_99, box(30, 20, 4, 50), january)).toBe(-16_91);
  });
});

describe('the box', () => {
  test('does not depend on its orientation', () => {
    const nets = [
      box(18.9, 14.9, 3.6, 4.5),
      box(18.9, 3.6, 14.9, 4.5),
      box(14.9, 18.9, 3.6, 4.5),
      box(14.9, 3.6, 18.9, 4.5),
      box(3.6, 18.9, 14.9, 4.5),
      box(3.6, 14.9, 18.9, 4.5),
    ].map((turned) => netFbaCents(99_99, turned, april));
    expect(nets).toEqual(Array(6).fill(74_42));
  });

  const sizes = ['widthIn', 'heightIn', 'depthIn', 'weightLbs'] as const;
  test.each(sizes)('is unknown without its %s', (size) => {
    for (const unknown of [null, 0, -1, Number.NaN]) {
      expect(netFbaCents(29_99, { ...box(10, 7, 2.5, 0.9), [size]: unknown }, april)).toBeNull();
    }
  });

  test('is not lifted over a limit by floating-point noise', () => {
    expect(fulfilment(4, 4, 1, 3.2500000001)).toBe(7_05);
    expect(fulfilment(45.72 / 2.54 + 1e-12, 12, 0.750000001, 1)).toBe(5_04);
    // The product of these sides is 3.25 × 139 in³, and 451.75000000000006 in floating point.
    expect(fulfilment(13.9, 6.5, 5, 1)).toBe(7_05);
    expect(fulfilment(13.9, 6.501, 5, 1)).toBe(7_13);
  });
});

describe('prices', () => {
  // The box weighs 2 oz: 2.43, 3.32 or 3.58 by price.
  test.each([
    [1_00, -1_73, 'the referral fee is at least 30 cents'],
    [1_99, -74, '15 % would be 29.85 cents'],
    [2_00, -73, '15 % are 30 cents'],
    [2_10, -65, '15 % are 31.5 cents'],
    [9_99, 6_06, 'low'],
    [10_00, 5_18, 'middle from $10'],
    [50_00, 39_18, 'middle to $50'],
    [50_01, 38_93, 'high'],
  ])('a price of %d cents yields %d: %s', (priceCents, net) => {
    expect(netFbaCents(priceCents, box(15, 12, 0.75, 0.125), january)).toBe(net);
  });
});

describe('dates', () => {
  const at = (instant: number) => netFbaCents(29_99, box(10, 7, 2.5, 0.9), instant);

  test('the surcharge starts on 17 April 2026 at 00:00 UTC', () => {
    expect(at(april - 1)).toBe(20_07);
    expect(at(april)).toBe(19_88);
    expect(at(Date.UTC(2030, 0, 1))).toBe(19_88);
  });

  test('the first schedule also applies before its start', () => {
    expect(at(january - 1)).toBe(20_07);
    expect(at(0)).toBe(20_07);
  });

  test('the peak season is from October 15 through January 14', () => {
    const peakOn = (day: string) =>
      fbaBoxFees(box(10, 7, 2.5, 0.9), Date.parse(day))?.(29_99).peakCents;
    expect(['2026-10-14', '2026-10-15', '2026-12-31'].map(peakOn)).toEqual([0, 33, 33]);
    expect(['2027-01-01', '2027-01-14', '2027-01-15'].map(peakOn)).toEqual([33, 33, 0]);
    const next = (day: string) => nextPeakChange(Date.parse(day));
    const [start, end] = [Date.parse('2026-10-15'), Date.parse('2027-01-15')];
    expect(next('2026-10-14T23:59:59.999Z')).toBe(start);
    expect(['2026-10-15', '2026-12-31', '2027-01-14T23:59:59Z'].map(next)).toEqual([end, end, end]);
    expect(next('2027-01-15')).toBe(Date.parse('2027-10-15'));
  });

  test('the peak fee of a row applies up to its weight, and the last also beyond', () => {
    const december = Date.parse('2026-12-01');
    const peakOf = (...sizes: Parameters<typeof box>) =>
      fbaBoxFees(box(...sizes), december)?.(29_99).peakCents;
    const weights = [1, 1.01, 2, 2.01, 20];
    expect(weights.map((pounds) => peakOf(10, 7, 1, pounds))).toEqual([20, 33, 33, 41, 41]);
    expect(peakOf(10, 7, 0.75, 4 / 16)).toBe(19);
  });

  test('a stored box has its volume and size class', () => {
    expect(storedBox(box(18, 12, 8, 3), april)).toEqual({
      cubicInches: 1728,
      isStandardSize: true,
    });
    expect(storedBox(box(4, 36, 12, 3), april)).toEqual({
      cubicInches: 1728,
      isStandardSize: false,
    });
    expect(storedBox({ ...box(18, 12, 8, 3), depthIn: null }, april)).toBeNull();
  });

  test('the next change is the start of a later schedule', () => {
    expect(nextFeeChange(0)).toBe(april);
    expect(nextFeeChange(january)).toBe(april);
    expect(nextFeeChange(april - 1)).toBe(april);
    expect(nextFeeChange(april)).toBeNull();
  });
});

describe('small standard', () => {
  test('every row extends up to its own weight', () => {
    const fees = [3_32, 3_42, 3_45, 3_54, 3_68, 3_78, 3_91, 3_96];
    fees.forEach((fee, index) => {
      const lbs = (index + 1) / 8;
      expect(fulfilment(15, 12, 0.75, lbs)).toBe(fee);
      // One pound is the maximum; heavier boxes count as 1.25 lb in the next tier.
      expect(fulfilment(15, 12, 0.75, lbs + 0.0001)).toBe(fees[index + 1] ?? 5_04);
    });
  });

  test('dimensional weight does not apply, but gives 16 oz once a side is too long', () => {
    expect(fulfilment(15, 12, 0.75, 0.1)).toBe(3_32);
    expect(fulfilment(15.001, 12, 0.75, 0.1)).toBe(4_60);
    expect(fulfilment(15, 12.001, 0.75, 0.1)).toBe(4_60);
    expect(fulfilment(15, 12, 0.751, 0.1)).toBe(4_60);
  });
});

describe('large standard', () => {
  const rows: [lbs: number, fee: number, above: number][] = [
    [0.25, 3_73, 3_95],
    [0.5, 3_95, 4_20],
    [0.75, 4_20, 4_60],
    [1, 4_60, 5_04],
    [1.25, 5_04, 5_42],
    [1.5, 5_42, 5_57],
    [1.75, 5_57, 5_82],
    [2, 5_82, 5_92],
    [2.25, 5_92, 6_10],
    [2.5, 6_10, 6_26],
    [2.75, 6_26, 6_67],
    // Above 3 lb: 6.97 and 0.08 for every started quarter; 68 quarters at 20 lb.
    [3, 6_67, 7_05],
    [3.25, 7_05, 7_13],
    // Above 20 lb small bulky: 7.55 + 20 × 0.38 for 21 lb.
    [20, 12_41, 15_15],
  ];
  test.each(rows)('up to %d lb %d cents, then %d', (lbs, fee, above) => {
    expect(fulfilment(4, 4, 1, lbs)).toBe(fee);
    expect(fulfilment(4, 4, 1, lbs + 0.0001)).toBe(above);
  });

  test('the largest box counts as 14.75 lb; a longer side makes it small bulky with 15 lb', () => {
    expect(fulfilment(18, 14, 8, 1)).toBe(10_73);
    expect(fulfilment(18.001, 14, 8, 1)).toBe(12_87);
    expect(fulfilment(18, 14.001, 8, 1)).toBe(12_87);
    expect(fulfilment(18, 14, 8.001, 1)).toBe(12_87);
  });
});

describe('bulky', () => {
  test('the first pound is included, and every started one after it costs 38 cents', () => {
    expect(fulfilment(20, 2, 2, 1)).toBe(7_55);
    expect(fulfilment(20, 2, 2, 1.0001)).toBe(7_93);
    expect(fulfilment(20, 2, 2, 50)).toBe(26_17);
    expect(fulfilment(40, 2, 2, 50)).toBe(27_97);
  });

  test('the shorter sides count as at least 2 in', () => {
    // 222 in³ instead of 111, 2 lb instead of 1.
    expect(fulfilment(37, 3, 1, 0.5)).toBe(7_93);
    expect(fulfilment(58, 1, 1, 0.5)).toBe(9_73);
  });

  test('a side too long for small bulky makes it large bulky', () => {
    // 2,960 in³ count as 22 lb, 6,272 in³ as 46 lb.
    expect(fulfilment(37, 20, 4, 1)).toBe(15_53);
    expect(fulfilment(37.001, 20, 4, 1)).toBe(17_33);
    expect(fulfilment(28, 28, 8, 1)).toBe(24_65);
    expect(fulfilment(28.001, 28.001, 8, 1)).toBe(26_45);
  });

  test('a side, or length and girth, too long for large bulky makes it extra-large', () => {
    // 22, 48 and 36 lb dimensional weight.
    expect(fulfilment(59, 10, 5, 1)).toBe(17_33);
    expect(fulfilment(59.001, 10, 5, 1)).toBe(34_31);
    expect(fulfilment(33, 33, 6, 1)).toBe(27_21);
    expect(fulfilment(33.001, 33.001, 6, 1)).toBe(44_19);
    expect(fulfilment(59, 33, 2.5, 1)).toBe(22_65);
    expect(fulfilment(59, 33, 2.501, 1)).toBe(39_63);
  });

  test('more than 50 lb are extra-large, whatever the size of the box', () => {
    expect(fulfilment(20, 2, 2, 50.0001)).toBe(37_32);
    expect(fulfilment(40, 2, 2, 50.0001)).toBe(37_32);
  });

  test('more than 50 lb dimensional weight are extra-large, whatever the box weighs', () => {
    // 8,000 in³ count as 58 lb: 37.32 + 7 × 0.75.
    expect(fulfilment(20, 20, 20, 5)).toBe(42_57);
  });
});

describe('extra-large', () => {
  const rows: [lbs: number, fee: number, above: number][] = [
    // 480 in³ count as 4 lb.
    [4, 27_47, 27_85],
    [50, 44_95, 37_32],
    [51, 37_32, 38_07],
    [70, 51_57, 51_32],
    [71, 51_32, 52_07],
    [150, 110_57, 194_95],
    [151, 194_95, 195_14],
    [200, 204_26, 204_45],
  ];
  test.each(rows)('up to %d lb %d cents, then %d', (lbs, fee, above) => {
    expect(fulfilment(60, 4, 2, lbs)).toBe(fee);
    expect(fulfilment(60, 4, 2, lbs + 0.0001)).toBe(above);
  });

  test('the shorter sides count as at least 2 in', () => {
    expect(fulfilment(60, 2, 1, 1)).toBe(26_71);
    expect(fulfilment(60, 1, 1, 1)).toBe(26_71);
  });

  test('above 150 lb, dimensional weight decides the tier and actual weight the fee', () => {
    // 54,000 in³ count as 389 lb.
    expect(fulfilment(60, 30, 30, 10)).toBe(194_95);
    expect(fulfilment(60, 30, 30, 160)).toBe(196_66);
  });
});

test('up to 70 lb, a heavier box of ordinary size never yields more', () => {
  // The price list itself drops where extra-large tiers end, at 50 and 70 lb, as shown above.
  const side = (max: number) => fc.double({ min: 0.1, max, noNaN: true });
  const weight = side(70);
  const cents = fc.integer({ min: 1, max: 1_000_00 });
  fc.assert(
    fc.property(side(30), side(20), side(10), weight, weight, cents, (w, h, d, a, b, price) => {
      const light = netFbaCents(price, box(w, h, d, Math.min(a, b)), april);
      const heavy = netFbaCents(price, box(w, h, d, Math.max(a, b)), april);
      expect(light).toBeGreaterThanOrEqual(heavy ?? Number.NaN);
    }),
    { seed: 20260417, numRuns: 2_000 },
  );
});
