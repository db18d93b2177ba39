/** Lists of items to watch: lines, tables and BrickLink's wanted lists. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { watchLimits } from '../../alerts/watchlists/watch-list.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import { readWatchFile, readWatchText } from './watch-file.work.ts';

/** Kind, number, target and note of each draft. */
async function read(text: string) {
  const { drafts, rejects, notes } = await readWatchText(text, 'f');
  return {
    drafts: drafts.map(({ kind, number, targetCents, note }) => [kind, number, targetCents, note]),
    rejects: rejects.map(({ where, reason }) => [where, reason]),
    notes,
  };
}

test('a compressed list has up to 16 MB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-watch-'));
  const readPacked = (text: string) => {
    const path = join(folder, 'list.txt.gz');
    writeFileSync(path, gzipSync(text));
    return readWatchFile(path, new AbortController().signal);
  };
  try {
    const { drafts } = await readPacked(`75192 ${' '.repeat(1000)}\n10294\n`);
    expect(drafts.map(({ number }) => number)).toEqual(['75192', '10294']);
    await expect(readPacked(' '.repeat(16 * 1024 * 1024 + 1))).rejects.toThrow('more than 16 MB');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a line has a number, an optional target and an optional note', async () => {
  const lines = [
    '75192',
    ' 75192-2  549.99 ',
    'sw0001, $12.50, For Ben',
    '10294;1,299.00;a; b',
    '10295 Only a clean box',
    '10296 3 For Ben',
    '10297 2nd edition',
    '10298 0.00',
    '673419000017\t40',
    '',
  ];
  const { drafts, rejects } = await read(lines.join('\r\n'));
  expect(rejects).toEqual([]);
  expect(drafts).toEqual([
    [null, '75192', null, ''],
    [null, '75192-2', 549_99, ''],
    [null, 'sw0001', 12_50, 'For Ben'],
    [null, '10294', 1299_00, 'a; b'],
    [null, '10295', null, 'Only a clean box'],
    [null, '10296', 3_00, 'For Ben'],
    [null, '10297', null, '2nd edition'],
    [null, '10298', null, ''],
    [null, '673419000017', 40_00, ''],
  ]);
});

test('a table has columns in any order, and unknown ones are ignored', async () => {
  const text = 'Notes;Target Price;Set Number;Type\n"a; b";49,99;100;set\n;;cas001;Minifig\n';
  expect((await read(text)).drafts).toEqual([
    ['set', '100', 49_99, 'a; b'],
    ['minifig', 'cas001', null, ''],
  ]);
  const priced = await read('Number,Name,Retail\n100-1,Ferry,$79.99\n');
  expect(priced.drafts).toEqual([[null, '100-1', null, '']]);
  expect(priced.notes).toEqual(["Prices were ignored: no column is named 'target'."]);
});

test('a wanted list has sets and minifigs, with max price and remarks', async () => {
  const item = (fields: string) => `<ITEM>${fields}</ITEM>`;
  const usual = '<CONDITION>X</CONDITION><MINQTY>1</MINQTY>';
  const special = '<CONDITION>N</CONDITION><MINQTY>3</MINQTY>';
  const { drafts, rejects, notes } = await read(
    `<INVENTORY>
      ${item('<ITEMTYPE>S</ITEMTYPE><ITEMID>100-1</ITEMID><MAXPRICE>79.9900</MAXPRICE>')}
      ${item('<ITEMTYPE>M</ITEMTYPE><ITEMID>cas001</ITEMID><REMARKS>a &amp; b</REMARKS>')}
      ${item(`<ITEMTYPE>S</ITEMTYPE><ITEMID>101-1</ITEMID><MAXPRICE>-1.0000</MAXPRICE>${usual}`)}
      ${item(`<ITEMTYPE>S</ITEMTYPE><ITEMID>102-1</ITEMID>${special}`)}
      ${item('<ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>5</COLOR>')}
      ${item('<ITEMTYPE>S</ITEMTYPE>')}
    </INVENTORY>`,
  );
  expect(drafts).toEqual([
    ['set', '100-1', 79_99, ''],
    ['minifig', 'cas001', null, 'a & b'],
    ['set', '101-1', null, ''],
    ['set', '102-1', null, ''],
  ]);
  expect(rejects.map(([where]) => where)).toEqual(['f:6', 'f:7']);
  expect(rejects[0]?.[1]).toBe("'3001' is a part; only sets and minifigs can be imported");
  expect(notes).toEqual(['Ignored: condition and quantity, which watchlists do not have.']);
});

test('invalid targets and notes are rejected with their location', async () => {
  const long = 'x'.repeat(watchLimits.noteLength + 1);
  const rows = ['100,cheap,', '101,€5,', `102,,${long}`, '103,,a\u001bb', ',5,', '104,5,'];
  const text = ['number,target,note', ...rows].join('\n');
  const { drafts, rejects } = await read(text);
  expect(drafts).toEqual([[null, '104', 5_00, '']]);
  expect(rejects).toEqual([
    ['f:2', "the target must be an amount such as 119.99, not 'cheap'"],
    ['f:3', "targets are in US dollars; this one is '€5'"],
    ['f:4', `the note has more than ${watchLimits.noteLength} characters`],
    ['f:5', 'the note contains control characters'],
    ['f:6', 'there is no number'],
  ]);
});

test('other files and oversized lists are rejected as a whole', async () => {
  const many = '1\n'.repeat(2 * watchLimits.items + 1);
  for (const text of ['<html><body>', '<INVENTORY><ITEM>', many]) {
    await expect(readWatchText(text, 'f')).rejects.toThrow(SourceFileError);
  }
});

test('a list has up to twice as many rows as may be watched, in each form', async () => {
  const most = 2 * watchLimits.items;
  const forms = [
    (count: number) => '1\n'.repeat(count),
    (count: number) => `number,note\n${'1,\n'.repeat(count)}`,
    (count: number) => {
      const item = '<ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>1</ITEMID></ITEM>';
      return `<INVENTORY>${item.repeat(count)}</INVENTORY>`;
    },
  ];
  for (const form of forms) {
    expect((await readWatchText(form(most), 'f')).drafts).toHaveLength(most);
    await expect(readWatchText(form(most + 1), 'f')).rejects.toThrow('more than 10000 rows');
  }
});

test.each([
  ['0.0001', null],
  ['0.0050', 1],
  ['0.0000', null],
  ['12.3456', 12_35],
  ['', null],
])('a max price of %p is a target of %p', async (price, cents) => {
  const fields = `<ITEMTYPE>S</ITEMTYPE><ITEMID>1</ITEMID><MAXPRICE>${price}</MAXPRICE>`;
  const { drafts } = await read(`<INVENTORY><ITEM>${fields}</ITEM></INVENTORY>`);
  expect(drafts).toEqual([['set', '1', cents, '']]);
});

test.each([
  ['<CONDITION>x</CONDITION>', []],
  ['<CONDITION></CONDITION>', []],
  ['<CONDITION>U</CONDITION>', ['condition']],
  ['<MINQTY>0</MINQTY>', []],
  ['<MINQTY>-1</MINQTY>', []],
  ['<MINQTY>2</MINQTY>', ['quantity']],
])('%s: ignored is %p', async (field, words) => {
  const item = `<ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>1</ITEMID>${field}</ITEM>`;
  const { notes } = await read(`<INVENTORY>${item}</INVENTORY>`);
  expect(notes).toEqual(words.map((word) => `Ignored: ${word}, which watchlists do not have.`));
});

test('targets and notes may have the maximum size', async () => {
  const note = 'x'.repeat(watchLimits.noteLength);
  const text = `number,target,note\n1,1000000,${note}\n2,0,\n3,1000000.01,\n4,-1,\n`;
  const { drafts, rejects } = await read(text);
  expect(drafts).toEqual([
    [null, '1', 100_000_000, note],
    [null, '2', null, ''],
  ]);
  expect(rejects.map(([where]) => where)).toEqual(['f:4', 'f:5']);
});
