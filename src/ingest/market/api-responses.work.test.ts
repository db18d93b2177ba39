/** Records in responses: their locations, and errors of responses without records. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../../test/support/read-options.ts';
import { type LocatedRecord, type ResponseFormat, readResponses } from './api-responses.work.ts';

const format: ResponseFormat = {
  listName: 'list',
  membersOf: ({ members }) => (Array.isArray(members) ? members : null),
  problemOf: ({ fault }) => (typeof fault === 'string' ? fault : null),
};

/** The records of a file, with locations relative to its folder. */
async function read(value: unknown): Promise<LocatedRecord[]> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-responses-'));
  const path = join(folder, 'f.json');
  writeFileSync(path, JSON.stringify(value));
  try {
    const found = await Array.fromAsync(readResponses([path], readOptions(), format));
    return found.map((each) => ({ ...each, where: each.where.slice(folder.length + 1) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('locations have the number of the response, then that of the member, from 1', async () => {
  expect(await read([{ members: [{ a: 1 }, { a: 2 }] }, { a: 3 }])).toEqual([
    { where: 'f.json#1.1', record: { a: 1 } },
    { where: 'f.json#1.2', record: { a: 2 } },
    { where: 'f.json#2', record: { a: 3 } },
  ]);
});

test('members are not searched for further members', async () => {
  const record = { members: [{ a: 1 }] };
  expect(await read({ members: [record] })).toEqual([{ where: 'f.json#1.1', record }]);
});

test('a response without records is one reject, and an error if it is the only response', async () => {
  expect(await read([{ fault: 'no tokens' }, 7, { a: 1 }])).toEqual([
    { where: 'f.json#1', reason: 'no tokens' },
    { where: 'f.json#2', reason: 'the record is not a JSON object' },
    { where: 'f.json#3', record: { a: 1 } },
  ]);
  await expect(read([{ fault: 'no tokens' }])).rejects.toThrow('f.json#1: no tokens.');
});

test('an empty list is not an error', async () => {
  expect(await read([])).toEqual([]);
  expect(await read({ members: [] })).toEqual([]);
});
