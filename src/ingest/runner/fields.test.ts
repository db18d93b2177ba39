/** Fields of records: valid, absent and rejected values. */
import { describe, expect, test } from 'bun:test';
import { Fields, FieldWarnings, RowError } from './fields.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** The value of a field `x`, or the reason why it is rejected. */
function read<T>(value: unknown, how: (fields: Fields) => T): T | string {
  try {
    return how(new Fields({ x: value }, now));
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    return error.message;
  }
}

test.each<[string, (fields: Fields) => unknown]>([
  ['text', (fields) => fields.text('x')],
  ['publicText', (fields) => fields.publicText('x')],
  ['url', (fields) => fields.url('x')],
  ['choice', (fields) => fields.choice('x', ['a'])],
  ['whole', (fields) => fields.whole('x', { min: 0 })],
  ['positive', (fields) => fields.positive('x')],
  ['cents', (fields) => fields.cents('x')],
  ['day', (fields) => fields.day('x')],
  ['flag', (fields) => fields.flag('x')],
  ['numbers', (fields) => fields.numbers('x')],
  ['nested', (fields) => fields.nested('x', [])],
])('%s is null if absent or null', (_, how) => {
  expect([read(undefined, how), read(null, how)]).toEqual([null, null]);
});

test.each<[string, (fields: Fields) => unknown]>([
  ['requiredText', (fields) => fields.requiredText('x')],
  ['requiredPublicText', (fields) => fields.requiredPublicText('x')],
  ['identity', (fields) => fields.identity('x')],
  ['number', (fields) => fields.number('x')],
  ['requiredChoice', (fields) => fields.requiredChoice('x', ['a'])],
  ['requiredCents', (fields) => fields.requiredCents('x')],
  ['pastDay', (fields) => fields.pastDay('x')],
  ['pastInstant', (fields) => fields.pastInstant('x')],
])('%s is required', (_, how) => {
  expect(read(undefined, how)).toBe("'x' is missing");
});

describe('a text', () => {
  const text = (value: unknown) => read(value, (fields) => fields.text('x'));
  const required = (value: unknown) => read(value, (fields) => fields.requiredText('x'));

  test('has up to 500 characters, blanks included', () => {
    expect(text(' a ')).toBe(' a ');
    expect(text('a'.repeat(500))).toHaveLength(500);
    expect(text('a'.repeat(501))).toStartWith("'x' is longer than 500 characters: ");
    expect(text(5)).toBe("'x' must be text, not 5");
  });

  test('that is required is trimmed and must not be empty', () => {
    expect([required(' a '), required('  ')]).toEqual(['a', "'x' is empty"]);
  });

  test('has no control characters', () => {
    expect(text('a\u0007')).toStartWith("'x' contains control characters");
  });

  test('that is public loses bidirectional control characters; others are rejected with them', () => {
    expect(read('a\u202eb', (fields) => fields.publicText('x'))).toBe('ab');
    expect(read('a\u202eb', (fields) => fields.requiredPublicText('x'))).toBe('ab');
    expect(text('a\u202eb')).toContain('direction of text');
    const long = read('a'.repeat(501), (fields) => fields.publicText('x'));
    expect(long).toStartWith("'x' is longer than 500 characters");
  });

  test('that is an identifier has up to 64 characters', () => {
    const identity = (value: string) => read(value, (fields) => fields.identity('x'));
    expect(identity('a'.repeat(64))).toHaveLength(64);
    expect(identity('a'.repeat(65))).toStartWith("'x' is longer than 64 characters");
  });

  test('that is an address has up to 2000 characters', () => {
    const url = (value: string) => read(value, (fields) => fields.url('x'));
    const start = 'https://a.example.com/';
    expect(url('http://a.example.com')).toBe('http://a.example.com');
    expect(url(start.padEnd(2000, 'a'))).toHaveLength(2000);
    expect(url(start.padEnd(2001, 'a'))).toStartWith("'x' is longer than 2000 characters");
    for (const bad of ['ftp://a', 'https://', 'https://a b']) {
      expect(url(bad)).toBe(`'x' must be an http or https address, not "${bad}"`);
    }
  });
});

test('an item number is trimmed, and must have the form of one', () => {
  const number = (value: string) => read(value, (fields) => fields.number('x'));
  expect(number(' 75192-1 ')).toBe('75192-1');
  expect(number('..')).toBe('\'x\' must be a number such as 75192-1, not ".."');
});

test('item numbers are a list', () => {
  const numbers = (value: unknown) => read(value, (fields) => fields.numbers('x'));
  expect(numbers(['75192', 'sw0001a'])).toEqual(['75192', 'sw0001a']);
  expect(numbers('75192')).toBe('\'x\' must be a list of text, not "75192"');
  expect(numbers(['.'])).toStartWith("'x' must be a number such as");
});

test('a choice is one of the given values', () => {
  const choice = (value: unknown) => read(value, (fields) => fields.choice('x', ['new', 'used']));
  expect([choice('used'), choice('New')]).toEqual([
    'used',
    '\'x\' must be one of new, used, not "New"',
  ]);
});

test.each<[unknown, unknown]>([
  [1, 1],
  [1_000_000, 1_000_000],
  [0, "'x' must be a whole number from 1 to 1000000, not 0"],
  [1_000_001, "'x' must be a whole number from 1 to 1000000, not 1000001"],
  [1.5, "'x' must be a whole number from 1 to 1000000, not 1.5"],
  ['1', '\'x\' must be a whole number from 1 to 1000000, not "1"'],
])('%p as a whole number is %p', (value, expected) => {
  expect(read<unknown>(value, (fields) => fields.whole('x', { min: 1 }))).toBe(expected);
});

test('a whole number may have other bounds', () => {
  const whole = (value: number) => read(value, (fields) => fields.whole('x', { min: 0, max: 9 }));
  expect([whole(0), whole(9)]).toEqual([0, 9]);
  expect(whole(10)).toBe("'x' must be a whole number from 0 to 9, not 10");
});

test.each<[unknown, unknown]>([
  [0.01, 0.01],
  [50, 50],
  [0, "'x' must be a number above 0 and at most 50, not 0"],
  [50.01, "'x' must be a number above 0 and at most 50, not 50.01"],
  [Number.NaN, "'x' must be a number above 0 and at most 50, not NaN"],
  ['5', '\'x\' must be a number above 0 and at most 50, not "5"'],
])('%p as a positive number is %p', (value, expected) => {
  expect(read<unknown>(value, (fields) => fields.positive('x', 50))).toBe(expected);
});

test('a positive number is at most a million', () => {
  const positive = (value: number) => read(value, (fields) => fields.positive('x'));
  expect(positive(1_000_000)).toBe(1_000_000);
  expect(positive(1_000_001)).toStartWith("'x' must be a number above 0 and at most 1000000");
});

test.each<[unknown, unknown]>([
  [0, 0],
  [12.34, 12_34],
  [1_000_000, 100_000_000],
  [1_000_000.01, "'x' must be from 0 to 1000000, not 1000000.01"],
  [-0.01, "'x' must be from 0 to 1000000, not -0.01"],
  [1.234, "'x' must be a number with at most two decimal places, not 1.234"],
  ['1', '\'x\' must be a number with at most two decimal places, not "1"'],
])('%p in hundredths is %p', (value, expected) => {
  expect(read<unknown>(value, (fields) => fields.cents('x'))).toBe(expected);
  expect(read<unknown>(value, (fields) => fields.requiredCents('x'))).toBe(expected);
});

test.each([
  ['1900-01-01', true],
  ['1899-12-31', false],
  ['2100-12-31', true],
  ['2101-01-01', false],
  ['2026-02-30', false],
  ['soon', false],
])("accepts '%s' as a day: %p", (value, isDay) => {
  const expected = isDay ? value : `'x' must be a date such as 2026-11-15, not "${value}"`;
  expect(read(value, (fields) => fields.day('x'))).toBe(expected);
});

test('a day or an instant in the past is not after the import', () => {
  const day = (value: string) => read(value, (fields) => fields.pastDay('x'));
  const instant = (value: string) => read(value, (fields) => fields.pastInstant('x'));
  expect(day('2026-11-15')).toBe('2026-11-15');
  expect(day('2026-11-16')).toBe("'x' is in the future: 2026-11-16; today is 2026-11-15");
  expect(instant('2026-11-15T12:00:00Z')).toBe(now);
  const later = '2026-11-15T12:00:00.001Z';
  expect(instant(later)).toBe(`'x' is in the future: ${later}; it is now 2026-11-15T12:00Z`);
  expect(instant('1900-01-01T00:00:00Z')).toBe(Date.UTC(1900, 0, 1));
  for (const bad of ['1899-12-31T23:59:59Z', '2026-11-15']) {
    const wanted = 'a time such as 2026-11-15T12:00:00Z';
    expect(instant(bad)).toBe(`'x' must be ${wanted}, not "${bad}"`);
  }
});

test('a flag is true or false', () => {
  const flag = (value: unknown) => read(value, (fields) => fields.flag('x'));
  expect([flag(true), flag(false)]).toEqual([true, false]);
  expect(flag('true')).toBe('\'x\' must be true or false, not "true"');
});

test('a nested record has only known fields', () => {
  const nested = (value: unknown) =>
    read(value, (fields) => fields.nested('x', ['width', 'height'])?.positive('width'));
  expect(nested({ width: 2 })).toBe(2);
  expect(nested([])).toBe("'x' must be an object, not an array");
  expect(nested('a')).toBe('\'x\' must be an object, not "a"');
  expect(nested({ widht: 2 })).toBe("unknown field 'x.widht'; did you mean 'width'?");
});

describe('an invalid optional field', () => {
  const readOptional = (warnings: FieldWarnings | null, how: (fields: Fields) => number | null) => {
    const fields = new Fields({ x: -1, y: { x: -1 } }, now, warnings);
    return fields.optional(() => how(fields));
  };
  const reason = "'x' must be from 0 to 1000000, not -1";

  test('rejects the row unless warnings are collected', () => {
    expect(() => readOptional(null, (fields) => fields.cents('x'))).toThrow(new RowError(reason));
  });

  test('is dropped with a warning', () => {
    const warnings = new FieldWarnings();
    expect(readOptional(warnings, (fields) => fields.cents('x'))).toBeNull();
    const inner = (fields: Fields) => fields.nested('y', ['x']);
    readOptional(warnings, (fields) => {
      const box = inner(fields);
      return box?.optional(() => box.cents('x')) ?? null;
    });
    expect(warnings.reasons).toEqual([reason, reason]);
  });

  test('other errors are not turned into warnings', () => {
    const fail = () => {
      throw new TypeError('a mistake');
    };
    expect(() => readOptional(new FieldWarnings(), fail)).toThrow('a mistake');
  });
});
