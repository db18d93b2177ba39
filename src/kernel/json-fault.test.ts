/** Faults in JSON are found exactly if `JSON.parse` fails, and described in words. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { findJsonFault, findRepeatedName, locationIn } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('a text has no fault if and only if it can be parsed', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '\\u00e9', '1', '-', '.5', 'e3'];
  const more = ['0', '01', 'true', 'null', 'nul', ' ', '\n', '\u00a0', '\t', "'", 'é', '\ufeff'];
  const soup = fc
    .array(fc.constantFrom(...pieces, ...more), { maxLength: 8 })
    .map((list) => list.join(''));
  const cut = fc
    .tuple(fc.json(), fc.nat({ max: 40 }), fc.constantFrom('', ',', '}', '"', 'x'))
    .map(([json, at, put]) => json.slice(0, at) + put + json.slice(at));
  fc.assert(
    fc.property(fc.oneof(fc.json(), soup, cut), (text) => {
      expect(findJsonFault(text) === null).toBe(isJson(text));
    }),
    { seed: 20, numRuns: 1_500 },
  );
});

test.each([
  ['', 0, 'it ends where a value should be'],
  ['{"a":1', 6, "it ends where ',' or '}' should be"],
  ['{"a":1,}', 7, "expected a name in double quotes, not '}'"],
  ['{a:1}', 1, "expected a name in double quotes or '}', not 'a'"],
  ["{'a':1}", 1, "expected a name in double quotes or '}', not ''a''"],
  ['{"a" 1}', 5, "expected ':', not '1'"],
  ['{"a":NaN}', 5, "expected a value, not 'NaN'"],
  ['{"a":.5}', 5, "expected a value, not '.5'"],
  ['{"a":01}', 5, "expected a value, not '01'"],
  ['[1 2]', 3, "expected ',' or ']', not '2'"],
  ['[1,]', 3, "expected a value, not ']'"],
  ['{} {}', 3, "expected the end, not '{'"],
  ['{"a":"b', 5, 'a string is not closed'],
  ['{"a":"b\tc"}', 7, 'a control character in a string must be escaped'],
  ['{"a":"C:\\x"}', 8, 'a backslash in a string must be escaped'],
  [`[${'x'.repeat(20)}]`, 1, `expected a value or ']', not '${'x'.repeat(20)}'`],
  [`[${'x'.repeat(21)}]`, 1, `expected a value or ']', not '${'x'.repeat(20)}…'`],
  ['\u0000', 0, "expected a value, not '\\u0000'"],
])('%j has its fault at %i', (text, index, problem) => {
  expect(findJsonFault(text)).toEqual({ index, problem });
});

test.each([
  ['{"a":1,"a":2}', { index: 7, name: 'a' }],
  ['{"a":{"b":1},"c":[{"b":2},{"b":3,"\\u0062" :4}]}', { index: 33, name: 'b' }],
  ['{"a":{"a":"a\\":"},"b":["a","a"],"c":{"b":1}}', null],
  ['"a"', null],
])('%s has a name twice at %j', (text, found) => {
  expect(findRepeatedName(text)).toEqual(found);
});

test('deep nesting does not overflow the stack', () => {
  const deep = '['.repeat(200_000);
  expect(findJsonFault(deep)?.index).toBe(200_000);
  expect(findJsonFault(deep + ']'.repeat(200_000))).toBeNull();
});

test('lines and columns start at 1, in characters', () => {
  expect(locationIn('ab', 0)).toEqual({ line: 1, column: 1 });
  expect(locationIn('abc\n🧱b', 6)).toEqual({ line: 2, column: 2 });
  expect(locationIn('\n\na', 2)).toEqual({ line: 3, column: 1 });
});
