/** Validation of tool arguments, and its messages. */
import { expect, test } from 'bun:test';
import Type from 'typebox';
import { exactly, identifier, oneOf, plainNumber } from '../contract/fields.ts';
import { compileArguments } from './arguments.ts';

const read = compileArguments(
  exactly({
    set: identifier('A set number.', '75192'),
    condition: Type.Optional(oneOf(['sealed', 'used'], 'The condition.')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    cost: Type.Optional(
      plainNumber({ minimum: 0, maximum: 9, decimals: 2, description: '', example: 1 }),
    ),
    items: Type.Optional(
      Type.Array(exactly({ quantity: Type.Integer({ minimum: 1 }) }), { maxItems: 2 }),
    ),
  }),
);

test('valid arguments are passed unchanged', () => {
  const given = { set: '75192', condition: 'used', limit: 50, cost: 0, items: [{ quantity: 1 }] };
  expect(read(given)).toEqual(given);
});

test('a whole number is converted to text where text is expected', () => {
  expect(read({ set: 75192, limit: 3 })).toEqual({ set: '75192', limit: 3 });
  expect(() => read({ set: 75.5 })).toThrow("The argument 'set' must be a string of 1 to 64");
  expect(() => read({ set: 75192, limit: 0 })).toThrow("The argument 'limit' must be a whole");
});

test('invalid input is quoted shortened, without control characters', () => {
  const name = `\u001b[31m${'x'.repeat(99)}`;
  expect(() => read({ set: '1', items: [{ quantity: 1, [name]: 1 }] })).toThrow(
    `Unknown property '\\u001b[31m${'x'.repeat(35)}…' in 'items.0'; use quantity.`,
  );
});

test.each([
  [undefined, "The argument 'set' is missing."],
  [[], 'The arguments must be a JSON object with set, condition, limit, cost, and items; got an'],
  [{ set: '1', Limit: 3 }, "Unknown argument 'Limit'; did you mean 'limit'?"],
  [{ set: '1', colour: 1 }, "'colour'; use one of set, condition, limit, cost, items."],
  [
    { set: '1', condition: 'new' },
    'The argument \'condition\' must be one of sealed, used; got "new".',
  ],
  [{ set: '1', limit: 2.5 }, "The argument 'limit' must be a whole number from 1 to 50; got 2.5."],
  [{ set: '1', cost: 10 }, "'cost' must be a number from 0 to 9 with at most 2 decimals; got 10."],
  [
    { set: '1', items: Array(3).fill({ quantity: 1 }) },
    "The argument 'items' must have at most 2 items; got 3.",
  ],
  [{ set: '1', items: 3 }, "The argument 'items' must be an array; got 3."],
  [{ set: '1', items: [{ quantity: 1, price: 3 }] }, "Unknown property 'price' in 'items.0'"],
  [
    { set: '1', items: [{ quantity: '1' }] },
    'The argument \'items.0.quantity\' must be a whole number, 1 or more; got "1".',
  ],
  [
    { set: '' },
    "The argument 'set' must be a string of 1 to 64 characters, without control characters; got",
  ],
])('%j is refused', (given, message) => {
  expect(() => read(given)).toThrow(message);
});
