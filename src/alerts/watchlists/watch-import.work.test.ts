/** Resolving the items of a file, and their changes. */
import { expect, test } from 'bun:test';
import {
  compareItems,
  type FileItem,
  type ResolvedItem,
  resolveFileItems,
  withListedKeys,
} from './watch-import.work.ts';
import type { WatchedItem } from './watch-list.ts';

const names = {
  set: new Map([
    ['100', { number: '100', name: 'Ferry' }],
    ['7', { number: '7', name: 'Boat' }],
    ['8', { number: '8', name: 'Raft' }],
  ]),
  minifig: new Map([
    ['7', { number: '7', name: 'Sailor' }],
    ['cas001', { number: 'cas001', name: 'Knight' }],
    ['fig-1', { number: 'cas001', name: 'Knight' }],
  ]),
};

const market = {
  findNames: async (kind: 'set' | 'minifig', keys: readonly string[]) =>
    new Map(keys.flatMap((key) => [...names[kind]].filter(([known]) => known === key))),
  findBarcodeSets: async () =>
    new Map([
      ['0673419000017', ['100']],
      ['0673419000024', ['7', '8']],
    ]),
};

const written = (number: string, facts: Partial<FileItem> = {}): FileItem => ({
  where: `f:${number}`,
  kind: null,
  number,
  targetCents: null,
  note: '',
  ...facts,
});

test('a number can be a set number, a barcode of a set, or a minifig number', async () => {
  const { items, rejects } = await resolveFileItems(market, [
    written('100-1'),
    written('FIG-1', { targetCents: 5, note: 'n' }),
    written('7'),
    written('7', { kind: 'minifig', where: 'other' }),
    written('404'),
    written('100', { kind: 'minifig' }),
    written('cas001', { kind: 'set' }),
    written('673419000024'),
    written('673419000017'),
    written('cas001'),
  ]);
  expect(items).toEqual([
    { kind: 'set', key: '100', number: '100', name: 'Ferry', targetCents: null, note: '' },
    { kind: 'minifig', key: 'cas001', number: 'cas001', name: 'Knight', targetCents: 5, note: 'n' },
    { kind: 'set', key: '7', number: '7', name: 'Boat', targetCents: null, note: '' },
    { kind: 'minifig', key: '7', number: '7', name: 'Sailor', targetCents: null, note: '' },
  ]);
  expect(rejects).toEqual([
    { where: 'f:404', reason: "'404' is not in the catalog" },
    { where: 'f:100', reason: "minifig '100' is not in the catalog" },
    { where: 'f:cas001', reason: "set 'cas001' is not in the catalog" },
    { where: 'f:673419000024', reason: 'several sets have this barcode: 7, 8; use the set number' },
    { where: 'f:673419000017', reason: '100 is listed twice; f:100-1 counts' },
    { where: 'f:cas001', reason: 'cas001 is listed twice; f:FIG-1 counts' },
  ]);
});

test.each([
  ['8', null, 'set'],
  ['8', 'set', 'set'],
  ['673419000017', 'set', 'set'],
  ['cas001', null, 'minifig'],
  ['cas001', 'minifig', 'minifig'],
] as const)('%s, given as %p, is a %s', async (number, kind, expected) => {
  const { items } = await resolveFileItems(market, [written(number, { kind })]);
  expect(items.map((each) => each.kind)).toEqual([expected]);
});

const item = (facts: Partial<ResolvedItem> = {}): ResolvedItem => ({
  kind: 'set',
  key: '100',
  number: '100',
  name: 'Ferry',
  targetCents: null,
  note: '',
  ...facts,
});

const listed = (facts: Partial<WatchedItem> = {}): WatchedItem => ({
  id: 1,
  listId: 1,
  kind: 'set',
  key: '100',
  number: '100',
  targetCents: 10_00,
  note: 'old',
  addedAt: 0,
  ...facts,
});

test('a given value that differs is a change; a missing one is not', () => {
  const kindOf = (facts: Partial<ResolvedItem>) =>
    compareItems([item(facts)], [listed()]).map(({ kind }) => kind);
  expect(kindOf({})).toEqual(['unchanged']);
  expect(kindOf({ targetCents: 10_00, note: 'old' })).toEqual(['unchanged']);
  expect(kindOf({ targetCents: 0 })).toEqual(['changed']);
  expect(kindOf({ note: 'new' })).toEqual(['changed']);
  expect(kindOf({ kind: 'minifig' })).toEqual(['added']);
  expect(compareItems([item()], [])).toEqual([{ item: item(), kind: 'added', before: null }]);
});

test('a minifig on the list under another of its numbers is the same', async () => {
  const knight = item({ kind: 'minifig', key: 'cas001', number: 'cas001' });
  const known = [listed({ kind: 'minifig', key: 'fig-1', number: 'fig-1' })];
  const keys = async (items: readonly ResolvedItem[], on: readonly WatchedItem[]) =>
    (await withListedKeys(market, items, on)).map(({ key }) => key);
  expect(await keys([item(), knight], known)).toEqual(['100', 'fig-1']);
  expect(await keys([item(), knight], [])).toEqual(['100', 'cas001']);
  expect(await keys([item({ key: 'cas001' })], known)).toEqual(['cas001']);
  expect(await keys([knight], known)).toEqual(['fig-1']);
});

test('aliases are not looked up without minifigs on the list or in the file', async () => {
  const unasked = { findNames: () => Promise.reject(new Error('It was asked.')) };
  const knight = item({ kind: 'minifig', key: 'cas001', number: 'cas001' });
  const listedKnight = listed({ kind: 'minifig', key: 'fig-1', number: 'fig-1' });
  expect(await withListedKeys(unasked, [knight], [listed()])).toEqual([knight]);
  expect(await withListedKeys(unasked, [item()], [listedKnight])).toEqual([item()]);
});
