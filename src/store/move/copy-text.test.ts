/** The text for PostgreSQL's COPY, and the bytes of the checksum. */
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import type { Table } from '../sql/tables.ts';
import { sourceChecksum } from './checksum.ts';
import { copyPieces } from './copy-text.ts';
import { MoveError } from './move-error.ts';
import type { Source } from './source.ts';

const things: Table = {
  file: 'market.db',
  name: 'thing',
  target: 'published.thing',
  key: ['id'],
  isNumbered: true,
  columns: [
    { name: 'title', type: 'text' },
    { name: 'id', type: 'integer' },
    { name: 'is_new', type: 'boolean' },
    { name: 'ratio', type: 'double' },
    { name: 'picture', type: 'bytes' },
  ],
};

type Value = string | number | Uint8Array | null;

/** A table with the rows; missing columns are null. */
function keep(rows: readonly Readonly<Record<string, Value>>[]): Pick<Source, 'rows'> {
  const db = new Database(':memory:');
  db.run('CREATE TABLE thing (title, id, is_new, ratio, picture)');
  for (const row of rows) {
    const values = things.columns.map(({ name }) => row[name] ?? null);
    db.query('INSERT INTO thing VALUES (?, ?, ?, ?, ?)').run(...values);
  }
  return {
    rows: ({ name, key }, columns) =>
      db.prepare(`SELECT ${columns} FROM ${name} ORDER BY ${key.join(', ')}`).iterate(),
  };
}

/** The encoded text, and the row counts reported. */
function sent(source: Pick<Source, 'rows'>) {
  const reported: number[] = [];
  const pieces = [...copyPieces(source, things, (count) => reported.push(count))];
  return { pieces, text: pieces.join(''), reported };
}

async function compared(source: Pick<Source, 'rows'>) {
  const reported: number[] = [];
  const checksum = await sourceChecksum(source, things, (count) => reported.push(count));
  return { ...checksum, reported };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a row', () => {
  test('has its columns separated by tabs, with null distinct from every text', async () => {
    const source = keep([
      { id: 1, title: 'Castle', is_new: 1, ratio: 0.5, picture: new Uint8Array([0, 255]) },
      { id: 2, title: '', is_new: 0 },
      { id: 3 },
    ]);
    expect(sent(source).text).toBe(
      'Castle\t1\tt\t0.5\t\\\\x00ff\n' + '\t2\tf\t\\N\t\\N\n' + '\\N\t3\t\\N\t\\N\t\\N\n',
    );
    expect(await compared(source)).toMatchObject({
      rows: 3,
      // Doubles are compared by their bytes.
      sha256: sha256(
        'Castle\t1\tt\t3fe0000000000000\t\\\\x00ff\n' +
          '\t2\tf\t\\N\t\\N\n' +
          '\\N\t3\t\\N\t\\N\t\\N\n',
      ),
    });
  });

  test('escapes characters that would end a row or a column', async () => {
    const source = keep([{ id: 1, title: 'a\tb\nc\rd\\N é 🏰' }]);
    const text = 'a\\tb\\nc\\rd\\\\N é 🏰\t1\t\\N\t\\N\t\\N\n';
    expect(sent(source).text).toBe(text);
    expect((await compared(source)).sha256).toBe(sha256(text));
  });

  test('is hashed like PostgreSQL writes it, which escapes more than necessary', async () => {
    const source = keep([{ id: 1, title: '\b\v\f\u0001' }]);
    const text = '\\b\\v\\f\u0001\t1\t\\N\t\\N\t\\N\n';
    expect((await compared(source)).sha256).toBe(sha256(text));
  });
});

describe('nothing is sent', () => {
  const cases: [why: string, row: Readonly<Record<string, Value>>, message: RegExp][] = [
    ['for text with U+0000', { title: 'a\u0000b' }, /U\+0000\) in 'title' of the row with id 1/],
    ['for a number as text', { title: 5 }, /U\+0000\) in 'title'/],
    [
      'for an integer beyond the safe range',
      { is_new: 1, id: 2 ** 53 },
      /not of type integer in 'id'/,
    ],
    [
      'for an integer stored as text',
      { id: 'x' },
      /not of type integer in 'id' of the row with id "x"/,
    ],
    ['for a boolean other than 0 and 1', { is_new: 2 }, /not of type boolean in 'is_new'/],
    ['for a double stored as text', { ratio: 'x' }, /not of type double in 'ratio'/],
    ['for bytes stored as text', { picture: 'x' }, /not of type bytes in 'picture'/],
  ];
  test.each(cases)('sends nothing %s', (_, row, message) => {
    expect(() => sent(keep([{ id: 1, ...row }]))).toThrow(MoveError);
    expect(() => sent(keep([{ id: 1, ...row }]))).toThrow(message);
  });
});

describe('a large table', () => {
  const title = 'x'.repeat(50_000);
  const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, title }));

  test('is sent in chunks of at least 128 KiB plus the rest, and reports every row', () => {
    const { pieces, text, reported } = sent(keep(rows(8)));
    expect(pieces.map((piece) => piece.length >= 128 * 1024)).toEqual([true, true, false]);
    expect(text.split('\n')).toHaveLength(8 + 1);
    expect(reported).toEqual([3, 3, 2]);
  });

  test('has no empty chunk at the end; an empty table has none at all', () => {
    expect(sent(keep(rows(3)))).toMatchObject({ pieces: [expect.any(String)], reported: [3, 0] });
    expect(sent(keep([]))).toMatchObject({ pieces: [], reported: [0] });
  });

  test('is hashed correctly if a text is longer than the buffer', async () => {
    const long = [...rows(8), { id: 9, title: 'é\\'.repeat(200_000) }];
    const line = (row: (typeof long)[number]) =>
      `${row.title.replaceAll('\\', '\\\\')}\t${row.id}\t\\N\t\\N\t\\N\n`;
    const found = await compared(keep(long));
    expect(found).toMatchObject({ rows: 9, sha256: sha256(long.map(line).join('')) });
    expect(found.reported).toEqual([3, 3, 3, 0]);
  });

  test('is hashed correctly if a binary value is longer than the buffer', async () => {
    const picture = new Uint8Array(300_000).fill(0xab);
    const found = await compared(keep([{ id: 1, title: 'a', picture }]));
    const line = `a\t1\t\\N\t\\N\t\\\\x${'ab'.repeat(300_000)}\n`;
    expect(found).toMatchObject({ rows: 1, sha256: sha256(line), reported: [1, 0] });
  });

  test('yields to the event loop while it is hashed', async () => {
    let isOthersTurn = false;
    const turn = new Promise((resolve) => setImmediate(resolve)).then(() => {
      isOthersTurn = true;
    });
    await compared(keep(rows(8)));
    expect(isOthersTurn).toBe(true);
    await turn;
  });
});
