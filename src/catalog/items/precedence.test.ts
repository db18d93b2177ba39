/** The tables of precedence: complete, and the same as in the docs. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { fieldsOf } from './merge.ts';
import {
  inPrecedence,
  minifigPrecedence,
  type PrecedenceRule,
  setPrecedence,
} from './precedence.ts';

const docs = readFileSync(join(import.meta.dir, '../../../docs/formats.md'), 'utf8');

/** The name of a field in the feed. */
function wireName(field: string): string {
  if (field === 'msrpCents') return 'msrp_usd';
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const quoted = (fields: readonly string[]) => fields.map((f) => `\`${wireName(f)}\``).join(', ');

function tableOf(rules: readonly PrecedenceRule<string>[]): string {
  const rows = rules.map(({ fields, together, sources }) => {
    const how =
      together.length === 0
        ? 'each on its own'
        : `together, from the first source that has ${quoted(together)}`;
    return `| ${quoted(fields)} | ${sources.join(', ')} | ${how} |`;
  });
  return ['| fields | precedence | how fields are combined |', '|---|---|---|', ...rows].join('\n');
}

function documented(opening: string): string {
  const section = docs.split('## Source precedence\n')[1]?.split('\n## ')[0] ?? '';
  return section.split(`${opening}\n\n`)[1]?.split('\n\n')[0] ?? '';
}

describe('the docs show the table', () => {
  test('of sets', () => expect(documented('Sets:')).toBe(tableOf(setPrecedence)));
  test('of minifigs', () => expect(documented('Minifigs:')).toBe(tableOf(minifigPrecedence)));
});

test('every field is in its table once', () => {
  const box = ['widthIn', 'heightIn', 'depthIn', 'weightLbs'].map((part) => `box.${part}`);
  const ofSets = Object.keys(aSet()).flatMap((field) =>
    field === 'number' ? [] : field === 'box' ? box : [field],
  );
  expect(fieldsOf<string>(setPrecedence).sort()).toEqual(ofSets.sort());
  const ofMinifigs = Object.keys(aMinifig()).filter((f) => f !== 'number' && f !== 'aliases');
  expect(fieldsOf<string>(minifigPrecedence).sort()).toEqual(ofMinifigs.sort());
});

test('unranked sources come last by name; the order of records of one source is kept', () => {
  const records = ['zeta', 'b', 'alpha', 'a', 'zeta'].map((source, place) => ({ source, place }));
  expect(inPrecedence(records, ['a', 'b']).map(({ source, place }) => `${source}${place}`)).toEqual(
    ['a3', 'b1', 'alpha2', 'zeta0', 'zeta4'],
  );
});
