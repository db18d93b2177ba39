/** Barcodes: length, digits and check digit. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  barcodeKey,
  eanProblem,
  gtinKey,
  printedBarcode,
  readBarcode,
  upcProblem,
} from './barcode.ts';

const fixed = { seed: 12, numRuns: 200 };
const digit = fc.constantFrom(...'0123456789');

function digits(count: number) {
  return fc.string({ unit: digit, minLength: count, maxLength: count });
}

test.each(['673419000017', '036000291452', '012345678905'])('%s is a valid UPC', (code) => {
  expect(upcProblem(code)).toBeNull();
});

test.each(['5702000000015', '4006381333931', '0036000291452'])('%s is a valid EAN', (code) => {
  expect(eanProblem(code)).toBeNull();
});

test('an error names the wrong and the right check digit', () => {
  expect(upcProblem('036000291453')).toBe("UPC '036000291453' has check digit 3, not 2");
  expect(eanProblem('4006381333930')).toBe("EAN '4006381333930' has check digit 0, not 1");
});

test.each([
  ['an EAN as a UPC', upcProblem('4006381333931'), "UPC '4006381333931' must be 12 digits"],
  ['a UPC as an EAN', eanProblem('036000291452'), "EAN '036000291452' must be 13 digits"],
  ['a letter', upcProblem('03600029145X'), "UPC '03600029145X' must be 12 digits"],
  ['a space', upcProblem(' 36000291452'), "UPC ' 36000291452' must be 12 digits"],
  ['digits of another script', upcProblem('٠٣٦٠٠٠٢٩١٤٥٢'), "UPC '٠٣٦٠٠٠٢٩١٤٥٢' must be 12 digits"],
  ['nothing', eanProblem(''), "EAN '' must be 13 digits"],
])('%s is rejected with the reason', (_, fault, reason) => {
  expect(fault).toBe(reason);
});

test('a read barcode has 13 digits and the right check digit', () => {
  expect(readBarcode(' 036000291452 ')).toBe('0036000291452');
  expect(readBarcode('4006381333931')).toBe('4006381333931');
  for (const bad of ['036000291453', '4006381333930', '75192', '']) {
    expect(readBarcode(bad)).toBeNull();
  }
});

test('exactly one of the ten check digits is right', () => {
  fc.assert(
    fc.property(digits(11), (body) => {
      const good = [...'0123456789'].filter((check) => upcProblem(body + check) === null);
      expect(good).toHaveLength(1);
    }),
    fixed,
  );
});

test('one mistyped digit is always detected', () => {
  const slip = fc.record({
    body: digits(12),
    place: fc.nat({ max: 12 }),
    change: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(slip, ({ body, place, change }) => {
      const check = [...'0123456789'].find((d) => eanProblem(body + d) === null) ?? '';
      const good = [...(body + check)];
      good[place] = String((Number(good[place]) + change) % 10);
      expect(eanProblem(good.join(''))).not.toBeNull();
    }),
    fixed,
  );
});

test('a UPC with a leading 0 is an EAN with the same check digit', () => {
  fc.assert(
    fc.property(digits(12), (code) => {
      expect(eanProblem(`0${code}`) === null).toBe(upcProblem(code) === null);
    }),
    fixed,
  );
});

test('barcodes are normalized to 13 digits, and anything else is rejected', () => {
  expect(barcodeKey(' 036000291452')).toBe('0036000291452');
  expect(barcodeKey('4006381333931 ')).toBe('4006381333931');
  for (const code of ['', '36000291452', '14006381333931', '03600029145X', '4006381 33393']) {
    expect(barcodeKey(code)).toBeNull();
  }
});

test('a GTIN-14 of a single unit is its barcode, and one of a case is none', () => {
  const codes = ['00036000291452', ' 04006381333931 ', '036000291452', '4006381333931'];
  expect(codes.map(gtinKey)).toEqual([
    '0036000291452',
    '4006381333931',
    '0036000291452',
    '4006381333931',
  ]);
  expect(gtinKey('10036000291452')).toBeNull();
});

test('a UPC is printed without the 0 of its key', () => {
  const keys = ['0036000291452', '4006381333931'];
  expect(keys.map(printedBarcode)).toEqual(['036000291452', '4006381333931']);
});
