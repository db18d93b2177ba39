/** Scopes and their bits, which are stored. */
import { expect, test } from 'bun:test';
import {
  allScopes,
  hasScope,
  missingScopesText,
  parseScope,
  scopeBits,
  scopeNames,
  scopes,
} from './scopes.ts';

test('bits are fixed, because they are stored', () => {
  expect(scopes.map((name) => [name, scopeBits([name])])).toEqual([
    ['market', 1],
    ['portfolio', 2],
    ['sales', 4],
    ['events', 8],
  ]);
  expect(allScopes).toBe(15);
});

test('names and bits are the same in both directions', () => {
  for (let bits = 0; bits <= allScopes; bits++) expect(scopeBits(scopeNames(bits))).toBe(bits);
  expect(scopeBits(['sales', 'sales'])).toBe(4);
});

test('a set of scopes has its members only', () => {
  const bits = scopeBits(['market', 'events']);
  expect(scopes.filter((name) => hasScope(bits, name))).toEqual(['market', 'events']);
});

test('other words are not scopes', () => {
  expect(['market', 'Market', '', 'all'].map(parseScope)).toEqual(['market', null, null, null]);
});

test('a refusal names every missing scope', () => {
  expect(missingScopesText(scopeBits(['sales']))).toBe(
    "This key does not have the scope 'sales'. Create a key that has it.",
  );
  expect(missingScopesText(scopeBits(['events', 'portfolio']))).toBe(
    "This key does not have the scopes 'portfolio' and 'events'. Create a key that has them.",
  );
});
