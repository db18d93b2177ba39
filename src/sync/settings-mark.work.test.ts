/** A mark changes with the settings of a source, and never depends on its secrets. */
import { expect, test } from 'bun:test';
import { Secret } from './secret.ts';
import { settingsMark } from './settings-mark.work.ts';

const url = new URL('https://example.com/');

test('it changes with every plain setting', () => {
  const first = { url, everyMs: 1, callsPerDay: 60 };
  const marks = [
    first,
    { ...first, everyMs: 2 },
    { ...first, callsPerDay: 61 },
    { ...first, url: new URL('https://example.com/b') },
  ].map(settingsMark);
  expect(new Set(marks).size).toBe(4);
  expect(settingsMark({ ...first })).toBe(marks[0] ?? '');
});

test('it is the same with and without secrets', () => {
  const http = { name: 'shop', everyMs: 1, hasSecret: true };
  const mark = (secret: string, address: string) =>
    settingsMark({ ...http, url: new URL(address), headers: { Key: new Secret(secret) } } as never);
  expect(mark('one', 'https://example.com/?key=1')).toBe(mark('', 'https://secret.invalid/'));
});
