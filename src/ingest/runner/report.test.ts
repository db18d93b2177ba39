/** Import reports. */
import { expect, test } from 'bun:test';
import type { RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { LocatedRow, RowResult } from './located-row.ts';
import { nothingImported, type RejectedRow, ReportBuilder } from './report.ts';

const rejected = (reason: string, missing = false): RowOutcome => {
  return { kind: 'rejected', reason, missing };
};
const rowOf = (result: Partial<RowResult> = {}, where = 'a:1'): LocatedRow => {
  return { where, text: 'text', result: { reason: '', ...result } as RowResult };
};

function build(outcomes: readonly RowOutcome[], row = rowOf()) {
  const told: RejectedRow[] = [];
  const builder = new ReportBuilder((reject) => told.push(reject));
  for (const outcome of outcomes) builder.add(row, outcome);
  return { builder, told, report: builder.build() };
}

test('every row is counted once, and empty parts are omitted', () => {
  const kinds = ['added', 'added', 'updated', 'unchanged', 'unchanged', 'unchanged'] as const;
  const outcomes = kinds.map((kind): RowOutcome => ({ kind }));
  expect(build([...outcomes, rejected('no')]).report).toEqual({
    read: 7,
    added: 2,
    updated: 1,
    unchanged: 3,
    rejected: 1,
    rejects: [{ where: 'a:1', reason: 'no' }],
    warned: 0,
    warnedPrivately: 0,
    warnings: [],
  });
});

test('rejects that may succeed later are counted, and all are reported with their row', () => {
  const { report, told } = build([rejected('a\u001b', true), rejected('b')]);
  expect(report.missing).toBe(1);
  const row = { where: 'a:1', row: 'text', isPrivate: false };
  expect(told).toEqual([
    { ...row, reason: 'a\\u001b' },
    { ...row, reason: 'b' },
  ]);
});

test('a row of an account is private, whether it could be read or not', () => {
  const isPrivate = (result: object) => build([rejected('no')], rowOf(result)).told[0]?.isPrivate;
  expect(isPrivate({ row: { email: 'a@example.com' } })).toBe(true);
  expect(isPrivate({ row: { kind: 'fx' } })).toBe(false);
  expect(isPrivate({ isPrivate: true })).toBe(true);
  expect(isPrivate({})).toBe(false);
});

test('a hundred rejects and a hundred warnings are kept, and all are counted', () => {
  const { report } = build(Array.from({ length: 101 }, () => rejected('no')));
  expect([report.rejected, report.rejects.length]).toEqual([101, 100]);
  const warned = rowOf({ row: { kind: 'set' }, warnings: ['one', 'two'] } as object);
  const added = Array.from({ length: 51 }, (): RowOutcome => ({ kind: 'added' }));
  const { warnings, warned: count } = build(added, warned).report;
  expect([count, warnings.length]).toEqual([102, 100]);
  expect(warnings.slice(0, 2)).toEqual([
    { where: 'a:1', reason: 'one', isPrivate: false },
    { where: 'a:1', reason: 'two', isPrivate: false },
  ]);
});

test('gone items are added up, including 0', () => {
  const { builder } = build([]);
  builder.addGone(0);
  expect(builder.build().gone).toBe(0);
  builder.addGone(2);
  builder.addGone(3);
  expect(builder.build().gone).toBe(5);
});

test('notes and joined minifigs are reported', () => {
  const { builder } = build([]);
  builder.addNote('It is old.');
  builder.addJoin(null);
  expect(builder.build()).toMatchObject({ notes: ['It is old.'] });
  expect('minifigs' in builder.build()).toBe(false);
  const counts = { joined: 1 } as unknown as Parameters<typeof builder.addJoin>[0];
  builder.addJoin(counts);
  expect(builder.build().minifigs as unknown).toEqual(counts);
});

test('if all rows are rejected, the main reason is the most frequent one', () => {
  const reasons = ["set '1' is not there", "'x' must be text, not 5", "set '2' is not there"];
  const all = reasons.map((reason) => rejected(reason));
  expect(build(all).report.mainReason).toBe("set '1' is not there");
  expect(build([...all, { kind: 'added' }]).report.mainReason).toBeUndefined();
  expect(build([rejected('one'), rejected('two')]).report.mainReason).toBe('one');
  expect(build([]).report.mainReason).toBeUndefined();
});

test('up to a thousand reasons are counted', () => {
  const many = Array.from({ length: 1000 }, (_, index) => rejected(`reason ${index}`));
  const late = [rejected('late'), rejected('late'), rejected('late')];
  expect(build([...many, ...late]).report.mainReason).toBe('reason 0');
  expect(build([...many.slice(1), ...late]).report.mainReason).toBe('late');
});

test('an import without changes explains why', () => {
  const sentence = (outcomes: readonly RowOutcome[]) => nothingImported(build(outcomes).report);
  expect(sentence([])).toBe('No rows found. Check that this is the right file.');
  expect(sentence([rejected('no')])).toBe('Nothing was imported: the only row was rejected (no).');
  expect(sentence([rejected('no'), rejected('no')])).toBe(
    'Nothing was imported: all 2 rows were rejected, most for one reason (no).',
  );
  expect(sentence([rejected('no'), { kind: 'unchanged' }])).toBeNull();
});
