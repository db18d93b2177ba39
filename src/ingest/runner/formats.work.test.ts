/** Properties of all formats. */
import { expect, test } from 'bun:test';
import type { Format } from './format.work.ts';
import { formats } from './formats.work.ts';
import { type ImportFormat, importFormats, isFormatName } from './import-formats.ts';

test('files are read to their end before anything is written', () => {
  const all = Object.entries<Format>(formats);
  const others = all.filter(([, { isReadFirst }]) => !isReadFirst).map(([name]) => name);
  // Lines of the feed are independent, and Rebrickable's tables are read completely anyway.
  expect(others).toEqual(['feed', 'rebrickable']);
});

test('formats of accounts and formats with a mapping are those that need the setting', () => {
  for (const name of Object.keys(formats).filter(isFormatName)) {
    const { settings }: Format = formats[name];
    const { data, needsMapping = false }: ImportFormat = importFormats[name];
    expect([name, data === null]).toEqual([name, settings?.account === 'required']);
    expect([name, needsMapping]).toEqual([name, settings?.mapping === 'required']);
  }
});

test('only names of formats are formats', () => {
  expect([isFormatName('feed'), isFormatName('toString')]).toEqual([true, false]);
});
