/** The public form of schemas, and the records in them. */
import { expect, test } from 'bun:test';
import Type from 'typebox';
import { plainNumber, record } from './fields.ts';
import { publicSchema, recordsIn } from './schema.ts';

const share = plainNumber({
  minimum: 0,
  maximum: 1,
  decimals: 4,
  description: 'The share.',
  example: 0.5,
});

test('the public form has decimals in words, and none of our own keywords', () => {
  const kinds = Type.String({ 'x-list': true, 'x-expected': 'kinds', description: 'Kinds.' });
  expect(publicSchema<object>(record('Terms', { share, kinds }))).toEqual({
    title: 'Terms',
    type: 'object',
    additionalProperties: false,
    required: ['share', 'kinds'],
    properties: {
      share: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'The share. At most 4 decimals.',
        examples: [0.5],
      },
      kinds: { type: 'string', description: 'Kinds.' },
    },
  });
});

test('examples are values: they are neither changed nor searched', () => {
  const example = { title: 'Set', properties: {}, 'x-list': true };
  const document = { schema: record('Terms', { share }), example, examples: [example] };
  expect(publicSchema(document)).toMatchObject({ example, examples: [example] });
  expect([...recordsIn(document).keys()]).toEqual(['Terms']);
});

test('two records with the same name are refused unless they are equal', () => {
  const terms = () => record('Terms', { share });
  expect([...recordsIn([terms(), { items: terms() }]).keys()]).toEqual(['Terms']);
  expect(() => recordsIn([terms(), record('Terms', {})])).toThrow('Two records are called Terms.');
});
