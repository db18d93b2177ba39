/** Shortened schemas. */
import { expect, test } from 'bun:test';
import Type from 'typebox';
import { count, exactly, oneOf, orNull, record, text } from '../contract/fields.ts';
import { briefInput, outline } from './brief-schema.ts';

test('arguments keep types, choices, defaults and descriptions, and limits that say something', () => {
  const input = exactly({
    pattern: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, pattern: '^a', description: 'A name.' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, examples: [5] }),
    offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    kinds: Type.Array(oneOf(['set', 'minifig'], 'Which.')),
  });
  expect(briefInput(JSON.parse(JSON.stringify(input)))).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['limit', 'offset', 'kinds'],
    properties: {
      // A field that is called like a keyword.
      pattern: { type: 'string', description: 'A name.' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      offset: { type: 'integer', minimum: 0 },
      kinds: {
        type: 'array',
        items: { type: 'string', enum: ['set', 'minifig'], description: 'Which.' },
      },
    },
  });
});

test('a result is outlined by the names of its fields and of those below', () => {
  const Part = record('Part', { deep: text('Not shown.') });
  const Thing = record('Thing', { title: text('Its name.'), part: Part });
  const result = exactly({
    thing: orNull(Thing),
    list: Type.Array(Thing),
    either: Type.Union([Thing, Part]),
    total: count('How many.'),
  });
  const names = { properties: { title: {}, part: {} } };
  expect(outline(result)).toEqual({
    type: 'object',
    properties: { thing: names, list: { items: names }, either: {}, total: {} },
    required: ['thing', 'list', 'either', 'total'],
  });
});
