/** Details of units in the files of other services. */
import { expect, test } from 'bun:test';
import {
  gradeOfWord,
  lineOf,
  noteOf,
  subconditionGrade,
  subconditionNote,
} from './imported-lot-details.ts';
import { readGraded } from './lot-writer.work.ts';

test.each([
  ['UsedAsNew', 'complete_boxed'],
  ['UsedComplete', 'complete'],
  ['used - incomplete', 'incomplete'],
  ['Incomplete (85%)', 'incomplete_85'],
  ['85% complete', 'incomplete_85'],
  ['Complete with box and instructions', 'complete_boxed'],
  ['CIB', 'complete_boxed'],
  ['For parts only', 'parts'],
  ['Sealed, damaged box', 'damaged_box'],
  ['box dented', 'damaged_box'],
  ['MISB shelf wear', 'light_wear'],
  ['Mint', 'perfect'],
  ['New', null],
  ['Used', null],
  ['100% complete', null],
  ['Used, good', null],
] as const)('%s is the grade %p', (word, grade) => {
  expect(gradeOfWord(word)).toBe(grade);
});

test('a word that no grade has becomes a note', () => {
  expect(readGraded('New')).toEqual({ condition: 'sealed', grade: null, note: null });
  expect(readGraded('UsedIncomplete')).toMatchObject({ condition: 'used', grade: 'incomplete' });
  expect(readGraded('Used, good')).toEqual({
    condition: 'used',
    grade: null,
    note: 'Condition: Used, good',
  });
  expect(() => readGraded('Wonderful')).toThrow("not 'Wonderful'");
});

test('what BrickLink says about the contents of a set is a grade or a note', () => {
  expect([subconditionGrade('C', 'used'), subconditionGrade('B', 'used')]).toEqual([
    'complete',
    'incomplete',
  ]);
  expect([subconditionGrade('S', 'used'), subconditionGrade('C', 'sealed')]).toEqual([null, null]);
  expect(subconditionNote('incomplete', 'sealed')).toBe('New, incomplete');
  expect([subconditionNote('S', 'sealed'), subconditionNote('C', 'used')]).toEqual([null, null]);
});

test('texts of files are tidied and cut, never refused', () => {
  expect(noteOf(null, ' a\r\nb\u0000c ', '', 'a\nb c', undefined)).toBe('a\nb c');
  expect(noteOf(null, '')).toBeNull();
  expect([...(noteOf('x'.repeat(3_000)) ?? '')]).toHaveLength(2_000);
  expect(lineOf('a\n b', 100)).toBe('a b');
  expect(lineOf('abcdef', 4)).toBe('abc…');
});
