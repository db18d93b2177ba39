/** Faults in the log: names, codes and stack frames, and nothing else. */
import { describe, expect, test } from 'bun:test';
import { describeFault } from './fault.ts';

const failing = (facts: object) => describeFault(Object.assign(new Error('lost'), facts));

test('a code is logged if it is a name, and a SQLSTATE if it is one', () => {
  expect(failing({ code: 'SQLITE_FULL', errno: '57P01' })).toMatchObject({
    code: 'SQLITE_FULL',
    sqlstate: '57P01',
  });
  for (const facts of [
    { code: 5, errno: 13 },
    { code: 'bmk_1 of Ann', errno: '57p01' },
    { code: 'E', errno: '57P012' },
    {},
  ]) {
    expect(failing(facts)).not.toHaveProperty('code');
    expect(failing(facts)).not.toHaveProperty('sqlstate');
  }
});

test('a statement is logged without its values', () => {
  expect(failing({ statement: "SELECT 1\n  WHERE a = 'Attic'" })).toMatchObject({
    statement: 'SELECT 1 WHERE a = …',
  });
  expect(failing({ statement: 1 })).not.toHaveProperty('statement');
});

test('stack frames are those of the program, at most eight, innermost first', () => {
  const error = new Error('a\n    at my castle');
  const frames = Array.from(
    { length: 30 },
    (_, depth) => `    at f${depth} (/src/a.ts:${depth}:1)`,
  );
  error.stack = ['Error: a', '    at my castle', ...frames].join('\n');
  const { at } = describeFault(error);
  expect(at).toHaveLength(8);
  expect(at[0]).toBe('f0 (/src/a.ts:0:1)');
  delete error.stack;
  expect(describeFault(error).at).toEqual([]);
});

describe('the values of a query', () => {
  const message = (query: string, text: string) =>
    describeFault(new Error(text), `http://h/api/v1/sets${query}`).message;

  test('are removed in encoded and decoded form, from two characters on', () => {
    expect(message('?q=a%20b', 'no a%20b, no a b')).toBe('no …, no …');
    expect(message('?q=ab&page=7', 'ab on page 7')).toBe('… on page 7');
    expect(message('?castle', 'no castle')).toBe('no …');
    expect(message('', 'no castle')).toBe('no castle');
  });

  test('are removed completely if one is part of another', () => {
    expect(message('?a=mill&b=millpond', 'the millpond')).toBe('the …');
  });
});

test.each([
  '/csv/abc.def/values.csv',
  '/password/abc',
  '/s/abc',
  '/alerts/confirm/1/abc',
  '/alerts/end/a.b',
])('%s is a secret, and not logged', (path) => {
  const error = new Error(`Lost https://b.example${path}, and now?`);
  expect(describeFault(error).message).toBe('Lost https://b.example… and now?');
});
