/** How a store connects to PostgreSQL. */
import { expect, test } from 'bun:test';
import { connectionSettings } from './store.ts';

test('a server ends what takes longer than its callers wait, half a second before they leave', () => {
  expect(connectionSettings({ isServing: true, connections: 7 })).toEqual({
    all: { max: 7, name: 'brickmark serve', statementMs: 4_500 },
    publishing: { max: 2, name: 'brickmark publish', statementMs: 600_000 },
    admission: { max: 1, name: 'brickmark serve', statementMs: 2_000 },
  });
});

test('a command has one pool for all, and takes its time', () => {
  expect(connectionSettings({ isServing: false, connections: 3 })).toEqual({
    all: { max: 3, name: 'brickmark', statementMs: 0 },
    publishing: null,
    admission: null,
  });
});
