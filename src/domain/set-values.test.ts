/** Packed values: what goes in comes out, of the latest fourteen months. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Series } from './history.ts';
import { packSetValues, unpackSetValues } from './set-values.ts';

const cents = fc.option(fc.integer({ min: 0, max: 100_000_000 }));

const series = fc.option(
  fc.record({ firstMonth: fc.integer({ min: 23_000, max: 25_000 }), values: fc.array(cents) }),
);

function asSeries(given: { firstMonth: number; values: (number | null)[] } | null): Series | null {
  if (given === null) return null;
  const point = { lowCents: null, highCents: null, salesCount: 0, event: null };
  const points = given.values.map((valueCents) => ({ ...point, valueCents }));
  return { firstMonth: given.firstMonth, points, revision: 0 };
}

test('values and the latest fourteen months come out as they went in', () => {
  fc.assert(
    fc.property(cents, cents, series, series, (newCents, usedCents, sealed, used) => {
      const packed = packSetValues(
        { newCents, usedCents },
        { sealed: asSeries(sealed), used: asSeries(used) },
      );
      const months = (given: typeof sealed) =>
        given === null || given.values.length === 0
          ? null
          : {
              firstMonth: given.firstMonth + Math.max(0, given.values.length - 14),
              valueCents: given.values.slice(-14),
            };
      expect(unpackSetValues(packed)).toEqual({
        newCents,
        usedCents,
        months: { sealed: months(sealed), used: months(used) },
      });
    }),
    { seed: 11 },
  );
});

test('a value of nothing is not the same as none', () => {
  const packed = packSetValues({ newCents: 0, usedCents: null }, { sealed: null, used: null });
  expect(unpackSetValues(packed)).toMatchObject({ newCents: 0, usedCents: null });
});
