/** The feed as a format: locations of lines, and files that are not a feed. */

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readOptions } from '../../../test/support/read-options.ts';
import { feed } from './feed.work.ts';
import { nonFeedKind, onePerLine } from './feed-beginning.work.ts';

const noJson = 'the line is not valid JSON at column 1: expected a value, not';

test('rows are located by file and line, with their text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-feed-'));
  const path = join(folder, 'rows.ndjson');
  writeFileSync(path, '\n{"kind":"retract","source":"s","source_id":"1"}\r\nbad\n\xff');
  const rows = [];
  for await (const group of feed.read([path], readOptions())) rows.push(...group);
  rmSync(folder, { recursive: true });
  expect(rows).toEqual([
    {
      where: `${path}:2`,
      text: '{"kind":"retract","source":"s","source_id":"1"}',
      result: { mayWait: true, row: { kind: 'retract', source: 's', sourceId: '1' } },
    },
    {
      where: `${path}:3`,
      text: 'bad',
      result: {
        reason: `${noJson} 'bad'; ${onePerLine}`,
      },
    },
    {
      where: `${path}:4`,
      text: 'ÿ',
      result: {
        reason: `${noJson} 'ÿ'; ${onePerLine}`,
      },
    },
  ]);
});

const good = '{"kind":"retract","source":"s","source_id":"1"}\n';

test.each([
  ['a JSON array', '[', 'a JSON array'],
  ['a JSON array over lines', `\n [\n${good}]`, 'a JSON array'],
  ['a page', '<!DOCTYPE html><html>', 'an HTML or XML page'],
  ['XML', '<?xml version="1.0"?>\n<a/>', 'an HTML or XML page'],
  ['CSV', 'set_number,title\n75192,Castle\n', 'a table (CSV)'],
  ['CSV with semicolons', 'number;title\r\n\r\n75192;Castle', 'a table (CSV)'],
  ['a table with tabs', 'number\ttitle\n75192\tCastle', 'a table (CSV)'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${good}`, 'utf16le'), 'UTF-16 text'],
  ['UTF-16 without one', Buffer.from(good, 'utf16le'), 'UTF-16 text'],
  ['UTF-16, high byte first', Buffer.from(good, 'utf16le').swap16(), 'UTF-16 text'],
  ['a line', good, null],
  ['a line with a byte order mark', `\ufeff${good}`, null],
  ['an invalid line before a valid one', `done, ok\n${good}`, null],
  ['words', 'nonsense', null],
  ['nothing', '', null],
])('%s is recognized as not a feed', (_, beginning, other) => {
  expect(nonFeedKind(Buffer.from(beginning as string))).toBe(other);
});

test('nothing is imported if any of the files is not a feed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-feed-'));
  const [first, second] = [join(folder, 'a.ndjson'), join(folder, 'b.json')];
  writeFileSync(first, good);
  writeFileSync(second, `[${good}]`);
  const read: unknown[] = [];
  const reading = async (...paths: string[]) => {
    for await (const group of feed.read(paths, readOptions())) read.push(...group);
  };
  const problem = 'is a JSON array; the feed is JSON, one object per line, in UTF-8.';
  await expect(reading(first, second)).rejects.toThrow(`${second} ${problem}`);
  await expect(reading(second, first)).rejects.toThrow(`${second} ${problem}`);
  const piped = { ...readOptions(), stdin: Readable.from([Buffer.from(`[${good}]`)]) };
  await expect(feed.read(['-'], piped).next()).rejects.toThrow(`Standard input ${problem}`);
  rmSync(folder, { recursive: true });
  expect(read).toEqual([]);
});
