/** Parts that rows of both endpoint tables have in common. */
import { exactly, identifier } from './fields.ts';

const nothing = exactly({});

/** The fields that most rows have; a row sets those that differ. */
export const usualEndpoint = {
  method: 'GET',
  cost: 'one',
  params: nothing,
  query: nothing,
  body: null,
  mayMiss: false,
} as const;

export const setNumber = exactly({
  number: identifier('The set number. `75192` and `75192-1` are the same set.', '10482'),
});

export const minifigNumber = exactly({ number: identifier('The minifigure number.', 'coa0007') });
