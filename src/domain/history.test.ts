/** Monthly series: packing loses nothing, and a month's event follows its priority. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { historyEvents, type MonthPoint, monthEvent, packPoints, unpackPoints } from './history.ts';
import { parseMonth } from './time.ts';

const cents = fc.option(fc.nat({ max: 2 ** 31 - 1 }), { nil: null });
const anyPoint: fc.Arbitrary<MonthPoint> = fc.record({
  valueCents: cents,
  lowCents: cents,
  highCents: cents,
  salesCount: fc.nat({ max: 2 ** 31 - 1 }),
  event: fc.option(fc.constantFrom(...historyEvents), { nil: null }),
});

test('months that are packed come back as they were', () => {
  fc.assert(
    fc.property(fc.array(anyPoint, { maxLength: 40 }), (points) => {
      expect(unpackPoints(packPoints(points))).toEqual(points);
    }),
    { seed: 20, numRuns: 200 },
  );
});

test('packed months are read also from the middle of a larger buffer', () => {
  const points: MonthPoint[] = [
    { valueCents: 100, lowCents: 90, highCents: 110, salesCount: 3, event: 'released' },
    { valueCents: null, lowCents: null, highCents: null, salesCount: 0, event: null },
  ];
  const packed = packPoints(points);
  const larger = new Uint8Array(packed.length + 7);
  larger.set(packed, 3);
  expect(unpackPoints(larger.subarray(3, 3 + packed.length))).toEqual(points);
});

test('the stored codes of events never change, so that old series can be read', () => {
  expect(historyEvents.slice(0, 4)).toEqual([
    'released',
    'retired',
    'price_jump_up',
    'price_jump_down',
  ]);
});

const june = 2026 * 12 + 5;
const july = 2026 * 12 + 6;

const quiet = {
  month: parseMonth('2026-06') ?? 0,
  releasedIn: null,
  retiredIn: null,
  valueCents: 10_000,
  previousCents: 10_000,
  wellSupported: true,
};

test.each([
  ['nothing happened', {}, null],
  ['it was released', { releasedIn: june }, 'released'],
  ['it retired', { retiredIn: june }, 'retired'],
  ['it was released and retired', { releasedIn: june, retiredIn: june }, 'retired'],
  ['it was released and jumped', { releasedIn: june, valueCents: 20_000 }, 'released'],
  ['it retired and fell', { retiredIn: june, valueCents: 5000 }, 'retired'],
  ['it retired the month after', { retiredIn: july }, null],
  [
    'it retired the month after and jumped',
    { retiredIn: july, valueCents: 13_000 },
    'price_jump_up',
  ],
  ['it rose by a little less than a jump', { valueCents: 12_214 }, null],
  ['it rose by a jump', { valueCents: 12_215 }, 'price_jump_up'],
  ['it fell by a little less than a jump', { valueCents: 8188 }, null],
  ['it fell by a jump', { valueCents: 8187 }, 'price_jump_down'],
  ['it rose on few sales', { valueCents: 20_000, wellSupported: false }, null],
  ['it has its first value', { previousCents: null }, null],
  ['it has no value yet', { valueCents: null, previousCents: null }, null],
] as const)('%s: the event says so, and only that', (_, facts, event) => {
  expect(monthEvent({ ...quiet, ...facts })).toBe(event);
});

test('a number that a packed month cannot hold is refused, not bent', () => {
  const point = { lowCents: 1, highCents: 2 ** 31, salesCount: 1, event: null };
  expect(() => packPoints([{ ...point, valueCents: 1 }])).toThrow('cannot hold');
});
