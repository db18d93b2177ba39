/** Imports are logged with their results, for the operator pages. */
// @runs SQLite: is about the command
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

async function imports() {
  const store = await openTestStore(place.data);
  try {
    const listed = await store.market.listImports(10);
    return await Promise.all(listed.map(({ id }) => store.market.findImport(id)));
  } finally {
    await store.close();
  }
}

test('an import is logged, a dry run is not, and a broken file is logged with the reason', async () => {
  const feed = [
    { kind: 'set', set_number: '10482', title: 'Harbour Lighthouse', theme: 'Coastline' },
    { kind: 'set', set_number: '10483', title: '', theme: 'Coastline' },
  ];
  const path = join(place.folder, 'sets.ndjson');
  writeFileSync(path, feed.map((line) => JSON.stringify(line)).join('\n'));
  await place.json(['import', 'feed', path, '--dry-run']);
  expect(await imports()).toEqual([]);
  await place.json(['import', 'feed', path]);
  const [logged] = await imports();
  expect(logged).toMatchObject({
    format: 'feed',
    files: ['sets.ndjson'],
    error: null,
    added: 1,
    updated: 0,
    unchanged: 0,
    rejected: 1,
    rejects: [{ where: 'sets.ndjson:2', reason: expect.stringContaining('title') }],
  });
  const csv = join(place.folder, 'sets.csv');
  writeFileSync(csv, 'Number,Theme,Year,Set name,UPC\n10482-1,Coastline,2026,Pier,1\n');
  await place.json(['import', 'brickset', csv]);
  expect((await imports())[0]).toMatchObject({
    added: 1,
    warned: 1,
    warnings: [{ where: 'sets.csv:2', reason: "'10482-1': UPC '1' must be 12 digits" }],
  });
  const strict = await place.run(['import', 'feed', '-', '--strict'], { stdin: '{}' });
  expect(strict.status).toBe(1);
  const [failed] = await imports();
  expect(failed).toMatchObject({
    files: ['standard input'],
    error: expect.stringContaining('nothing was imported'),
  });
});

test('rejects of private rows are not logged, whatever the format', async () => {
  const bad = { kind: 'set', set_number: '10484', title: '', theme: 'Coastline' };
  const lot = { account: 'secret@example.com', source_id: 'a', brickfolio: 'Shelf' };
  const bought = { quantity: 1, condition: 'sealed', purchase_price_usd: 1 };
  const holding = { kind: 'holding', ...lot, ...bought, set_number: '10482', status: 'owned' };
  const feed = [
    { ...holding, purchase_date: '2026-01-02' },
    { ...holding, account: 'secret@example.com'.repeat(20) },
    { kind: 'brickfolio', account: 'secret@example.com', 'secret@example.com': 1 },
    bad,
  ];
  const path = join(place.folder, 'mixed.ndjson');
  writeFileSync(path, feed.map((line) => JSON.stringify(line)).join('\n'));
  const file = join(place.folder, 'rejects.ndjson');
  const rejected = await place.run(['import', 'feed', path, '--rejects', file, '--json']);
  expect(rejected.status).toBe(1);
  expect(JSON.parse(rejected.stdout)).toMatchObject({ rejected: 4 });
  // The person who imports gets the details.
  expect(readFileSync(file, 'utf8')).toContain('secret@example.com');
  const [logged] = await imports();
  expect(logged).toMatchObject({
    rejected: 4,
    error: 'Every row was rejected.',
    rejects: [{ where: 'mixed.ndjson:4', reason: expect.stringContaining('title') }],
  });
  const csv = join(place.folder, 'owned.csv');
  writeFileSync(csv, 'Number,Qty owned\n10482,1\n');
  const run = await place.run(['import', 'collection', csv, '--account', 'secret@example.com']);
  expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('secret@example.com')]);
  const [failed] = await imports();
  expect(failed).toMatchObject({ format: 'collection', error: 'The file could not be imported.' });
});
