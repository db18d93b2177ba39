/** Shortened schemas. */
import { expect, test } from 'bun:test';
import { count, day, oneOf, orNull, record, text } from '../contract/fields.ts';
import { briefSchema } from './brief-schema.ts';

test('names, types and descriptions stay; bounds, formats and names of records do not', () => {
  const Thing = record('Thing', {
    title: text('Its name.'),
    made: day('When.'),
    pieces: orNull(count('How many.')),
    kind: orNull(oneOf(['set', 'minifig'], 'Which.')),
  });
  expect(briefSchema(JSON.parse(JSON.stringify(orNull(Thing))))).toEqual({
    type: ['object', 'null'],
    required: ['title', 'made', 'pieces', 'kind'],
    properties: {
      title: { type: 'string', description: 'Its name.' },
      made: { type: 'string', description: 'When.' },
      pieces: { type: ['integer', 'null'], description: 'How many.' },
      kind: { type: ['string', 'null'], enum: ['set', 'minifig', null], description: 'Which.' },
    },
  });
});

test('other choices are unchanged', () => {
  const choice = { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'Either.' };
  expect(briefSchema(choice)).toEqual(choice);
});

test('a description at one place of a record replaces its own', () => {
  const schema = { anyOf: [{ type: 'object', description: 'A price.' }], description: 'Here.' };
  expect(briefSchema(schema)).toEqual({ type: 'object', description: 'Here.' });
});
