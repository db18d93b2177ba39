/** The feed as a format: every line with its place, good or bad. */

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../../test/support/read-options.ts';
import { feed } from './feed.ts';

test('the rows of a file have its name, their line and their text', async () => {
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
    { where: `${path}:3`, text: 'bad', result: { reason: 'the line is not valid JSON' } },
    { where: `${path}:4`, text: 'ÿ', result: { reason: 'the line is not valid JSON' } },
  ]);
});
