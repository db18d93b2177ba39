/** Lines of the feed: one object of a known kind with known fields, or a reason. */
import { expect, test } from 'bun:test';
import { readFeedLine } from './feed.work.ts';
import { onePerLine } from './feed-beginning.work.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** Null if the line is accepted. */
function reasonOf(line: string): string | null {
  const source = readFeedLine(line, now);
  return 'reason' in source ? source.reason : null;
}

const kinds =
  'set, minifig, sale, retract, offer, listings, part_out, fx, brickfolio, holding, ledger_sale';

test.each([
  [
    'not JSON',
    'set 75192',
    `the line is not valid JSON at column 1: expected a value, not 'set'; ${onePerLine}`,
  ],
  [
    'cut off',
    '{"kind":"set"',
    `the line is not valid JSON at column 14: it ends where ',' or '}' should be; ${onePerLine}`,
  ],
  [
    'two objects',
    '{} {}',
    `the line is not valid JSON at column 4: expected the end, not '{'; ${onePerLine}`,
  ],
  ['a list', '[{"kind":"set"}]', 'the line is an array; the feed is JSON, one object per line'],
  ['a text', '"set"', `the line is "set"; the feed is JSON, one object per line`],
  ['null', 'null', 'the line is null; the feed is JSON, one object per line'],
  ['without a kind', '{}', "'kind' is missing"],
  ['of kind null', '{"kind":null}', "'kind' is missing"],
  ['of an unknown kind', '{"kind":"price"}', `unknown kind "price"; use one of ${kinds}`],
  ['of a kind in upper case', '{"kind":"SET"}', `unknown kind "SET"; did you mean 'set'?`],
  [
    'of a kind that is a property of Object.prototype',
    '{"kind":"toString"}',
    `unknown kind "toString"; use one of ${kinds}`,
  ],
  ['of a kind that is not text', '{"kind":7}', `unknown kind 7; use one of ${kinds}`],
  [
    'of a very long kind',
    `{"kind":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `unknown kind an array; use one of ${kinds}`,
  ],
])('a line that is %s is rejected', (_, line, reason) => {
  expect(reasonOf(line)).toBe(reason);
});

test.each([
  ['set', 'set_numbr', 'set_number'],
  ['set', 'msrp', 'msrp_usd'],
  ['minifig', 'year_release', 'year_released'],
  ['sale', 'soldat', 'sold_at'],
  ['retract', 'sourceid', 'source_id'],
  ['offer', 'listprice', 'list_price'],
  ['fx', 'usd_per_units', 'usd_per_unit'],
  ['brickfolio', 'default', 'is_default'],
  ['holding', 'purchase_price', 'purchase_price_usd'],
  ['ledger_sale', 'gross_proceeds', 'gross_proceeds_usd'],
])('a %s line with the unknown field %s is rejected, naming %s', (kind, field, known) => {
  const line = JSON.stringify({ kind, [field]: 1 });
  expect(reasonOf(line)).toBe(`unknown field '${field}'; did you mean '${known}'?`);
});

test('properties of Object.prototype are not fields of a line', () => {
  expect(reasonOf('{"kind":"set","__proto__":{"title":"A"}}')).toStartWith(
    "unknown field '__proto__'",
  );
  expect(reasonOf('{"kind":"set","constructor":1}')).toStartWith("unknown field 'constructor'");
});

test('an unknown field is rejected even if it is null', () => {
  expect(reasonOf('{"kind":"retract","source":"s","source_id":"1","note":null}')).toBe(
    "unknown field 'note'; use one of source, source_id",
  );
});

test('null is the same as absent', () => {
  const absent = readFeedLine('{"kind":"minifig","minifig_number":"cas001","name":"Knight"}', now);
  const isNull = readFeedLine(
    '{"kind":"minifig","minifig_number":"cas001","name":"Knight","color":null,"aliases":null}',
    now,
  );
  expect(isNull).toEqual(absent);
  expect(reasonOf('{"kind":"minifig","minifig_number":"cas001","name":null}')).toBe(
    "'name' is missing",
  );
});
