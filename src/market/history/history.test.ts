/** Monthly series: packing is lossless, and a month's event follows its priority. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatMonth, parseMonth } from '../../kernel/time.ts';
import type { Provenance } from '../values/estimator.ts';
import {
  blankPoint,
  historyEvents,
  type MonthPoint,
  monthEvent,
  packPoints,
  packProvenance,
  unpackPoints,
  unpackProvenance,
  unpackValues,
} from './history.ts';

const cents = fc.option(fc.nat({ max: 2 ** 31 - 1 }), { nil: null });
const anyPoint: fc.Arbitrary<MonthPoint> = fc.record({
  valueCents: cents,
  lowCents: cents,
  highCents: cents,
  salesCount: fc.nat({ max: 2 ** 31 - 1 }),
  event: fc.option(fc.constantFrom(...historyEvents), { nil: null }),
});

test('months that a later version packed are not misread', () => {
  const later = packPoints([{ ...blankPoint, salesCount: 3 }]);
  new DataView(later.buffer).setUint32(0, 2, true);
  for (const unpack of [
    unpackPoints,
    unpackValues,
    (bytes: Uint8Array) => unpackProvenance(bytes, 1),
  ]) {
    expect(() => unpack(later)).toThrow('Packed months have format 2; this version reads 1.');
    expect(() => unpack(new Uint8Array())).toThrow('format null');
  }
  const event = packPoints([{ ...blankPoint, salesCount: 3 }]);
  new DataView(event.buffer).setInt32(20, historyEvents.length, true);
  expect(() => unpackPoints(event)).toThrow(RangeError);
});

test('packed months are unpacked unchanged', () => {
  fc.assert(
    fc.property(fc.array(anyPoint, { maxLength: 40 }), (points) => {
      expect(unpackPoints(packPoints(points))).toEqual(points);
    }),
    { seed: 20, numRuns: 200 },
  );
});

const blank: MonthPoint = {
  valueCents: null,
  lowCents: null,
  highCents: null,
  salesCount: 0,
  event: null,
};
const released: MonthPoint = { ...blank, event: 'released' };
const retired: MonthPoint = { ...blank, event: 'retired' };
const sold: MonthPoint = { ...blank, valueCents: 7, lowCents: 6, highCents: 8, salesCount: 1 };

test('mostly blank months are unpacked unchanged', () => {
  const anyMonth = fc.constantFrom(blank, blank, blank, released, retired, sold);
  fc.assert(
    fc.property(fc.array(anyMonth, { maxLength: 40 }), (points) => {
      expect(unpackPoints(packPoints(points))).toEqual(points);
    }),
    { seed: 22, numRuns: 200 },
  );
});

test.each([
  ['never sold, released and retired', [released, ...blanks(40), retired, ...blanks(500)], 2],
  ['sold late', [released, ...blanks(300), sold, sold], 3],
  ['not sold and without a date', blanks(900), 1],
  ['released and retired in turn', [released, retired, released], 3],
])('a set that was %s takes the space of one month per run', (_, points, records) => {
  const packed = packPoints(points);
  expect(packed.length).toBe(4 + 20 * records);
  expect(unpackPoints(packed)).toEqual(points);
});

test('the packed form of a run of months never changes', () => {
  const hex = packPoints([released, blank, blank]).toHex();
  expect(hex).toBe('01000000' + 'feffffff03000000000000000000000000000000');
  // A single blank month is not a run.
  expect(packPoints([blank]).toHex()).toBe('01000000' + 'ffffffffffffffffffffffff00000000ffffffff');
});

test('months that are blank but for one field are no run of blank months', () => {
  for (const field of ['valueCents', 'lowCents', 'highCents', 'salesCount'] as const) {
    const points = [released, blank, { ...blank, [field]: 1 }, { ...blank, [field]: 2 }];
    expect(unpackPoints(packPoints(points))).toEqual(points);
  }
});

test('values alone are those of the unpacked months', () => {
  const points = [released, ...blanks(3), sold, { ...sold, valueCents: 0 }, blank, sold, retired];
  const larger = new Uint8Array([9, 9, 9, ...packPoints(points), 9]);
  expect(unpackValues(larger.subarray(3, -1))).toEqual(points.map(({ valueCents }) => valueCents));
  expect(unpackValues(packPoints([]))).toEqual([]);
});

function blanks(months: number): MonthPoint[] {
  return Array.from({ length: months }, () => blank);
}

test('the layout of stored series never changes', () => {
  const point = { valueCents: 1, lowCents: 2, highCents: 3, salesCount: 4, event: null };
  expect(Buffer.from(packPoints([point])).toString('hex')).toBe(
    '01000000' + '01000000' + '02000000' + '03000000' + '04000000' + 'ffffffff',
  );
  const origin = { inputHash: 2 ** 32 + 5, parameters: '2026-10-3f9a2c1b' };
  const month = (parseMonth('2026-10') ?? 0).toString(16).padStart(8, '0');
  expect(Buffer.from(packProvenance([origin])).toString('hex')).toBe(
    `010000000000000100000005${month}3f9a2c1b`,
  );
});

test('packed months can be read from the middle of a larger buffer', () => {
  const points: MonthPoint[] = [
    { valueCents: 100, lowCents: 90, highCents: 110, salesCount: 3, event: 'released' },
    { valueCents: null, lowCents: null, highCents: null, salesCount: 0, event: null },
  ];
  const packed = packPoints(points);
  const larger = new Uint8Array(packed.length + 7);
  larger.set(packed, 3);
  expect(unpackPoints(larger.subarray(3, 3 + packed.length))).toEqual(points);
});

test('the stored codes of events never change', () => {
  expect(historyEvents.slice(0, 4)).toEqual([
    'released',
    'retired',
    'price_jump_up',
    'price_jump_down',
  ]);
});

const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: count, maxLength: count });
const anyProvenance: fc.Arbitrary<Provenance> = fc
  .record({
    inputHash: fc.integer({ min: 0, max: 2 ** 52 - 1 }),
    month: fc.integer({ min: 1000 * 12, max: 10_000 * 12 - 1 }),
    hash: digits(8),
  })
  .map(({ inputHash, month, hash }) => ({
    inputHash,
    parameters: `${formatMonth(month)}-${hash}`,
  }));

test('provenance is unpacked unchanged, at sixteen bytes per month', () => {
  const list = fc.array(anyProvenance, { maxLength: 40 });
  fc.assert(
    fc.property(list, (provenance) => {
      const packed = packProvenance(provenance);
      expect(packed.length).toBe(4 + provenance.length * 16);
      const larger = new Uint8Array(packed.length + 7);
      larger.set(packed, 3);
      const middle = larger.subarray(3, 3 + packed.length);
      expect(unpackProvenance(middle, provenance.length)).toEqual(provenance);
    }),
    { seed: 21, numRuns: 200 },
  );
});

test('unsold months take sixteen bytes per run and are unpacked unchanged', () => {
  const anyOrigin = fc.oneof(fc.constant('unsold' as const), anyProvenance);
  fc.assert(
    fc.property(fc.array(anyOrigin, { maxLength: 40 }), (provenance) => {
      const packed = packProvenance(provenance);
      const starts = provenance.filter(
        (origin, index) => origin !== 'unsold' || provenance[index - 1] !== 'unsold',
      );
      expect(packed.length).toBe(4 + 16 * starts.length);
      expect(unpackProvenance(packed, provenance.length)).toEqual(provenance);
    }),
    { seed: 23, numRuns: 200 },
  );
});

test('the packed form of unsold months never changes', () => {
  const hex = packProvenance(['unsold', 'unsold', 'unsold']).toHex();
  expect(hex).toBe(`01000000ffffffff00000003${'0'.repeat(16)}`);
});

test('the packed form of provenance never changes', () => {
  const provenance = { inputHash: 0x1122334455667, parameters: '2026-10-3f9a2c1b' };
  const hex = packProvenance([provenance, 'unsold']).toHex();
  const unsold = `ffffffff00000001${'0'.repeat(16)}`;
  expect(hex).toBe(`01000000000112233445566700005f013f9a2c1b${unsold}`);
});

test('the smallest and the largest hash of inputs can be packed', () => {
  const provenance = [0, 2 ** 52 - 1].map((inputHash) => {
    return { inputHash, parameters: '2026-10-3f9a2c1b' };
  });
  expect(unpackProvenance(packProvenance(provenance), 2)).toEqual(provenance);
});

test.each([
  ['a hash that is too large', { inputHash: 2 ** 52 }, 'is not a whole number below 2^52'],
  ['half a hash', { inputHash: 0.5 }, "'0.5' is not a whole number"],
  ['no hash', { inputHash: Number.NaN }, 'is not a whole number'],
  ['no parameters', { parameters: '' }, "'' are not named like"],
  ['a thirteenth month', { parameters: '2026-13-3f9a2c1b' }, 'are not named like'],
  ['a month without a hash', { parameters: '2026-10' }, 'are not named like'],
  ['a long hash of parameters', { parameters: '2026-10-3f9a2c1b0' }, 'are not named like'],
  ['the year 0', { parameters: '0000-01-00000000' }, 'are not named like'],
])('%s cannot be packed', (_, wrong, message) => {
  const good = { inputHash: 7, parameters: '2026-10-3f9a2c1b' };
  expect(() => packProvenance([{ ...good, ...wrong }])).toThrow(message);
});

test('bytes for another number of months are rejected', () => {
  expect(() => unpackProvenance(packProvenance(['unsold']), 2)).toThrow('20 bytes are not');
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
  hasShifted: false,
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
  ['it rose to a new level', { valueCents: 10_001, hasShifted: true }, 'price_jump_up'],
  [
    'few sales brought it to a new level',
    { valueCents: 9000, wellSupported: false, hasShifted: true },
    'price_jump_down',
  ],
  ['it came back to where it was', { hasShifted: true }, null],
  ['it retired at a new level', { retiredIn: june, valueCents: 1, hasShifted: true }, 'retired'],
  ['its first value is a new level', { previousCents: null, hasShifted: true }, null],
  ['it has its first value', { previousCents: null }, null],
  ['it has no value yet', { valueCents: null, previousCents: null }, null],
] as const)('%s: the event', (_, facts, event) => {
  expect(monthEvent({ ...quiet, ...facts })).toBe(event);
});

test('a number that does not fit into 31 bits is rejected', () => {
  const point = { lowCents: 1, highCents: 2 ** 31, salesCount: 1, event: null };
  expect(() => packPoints([{ ...point, valueCents: 1 }])).toThrow('cannot hold');
});
