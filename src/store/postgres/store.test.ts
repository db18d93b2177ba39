/** Connection settings of a store on PostgreSQL. */
import { expect, test } from 'bun:test';
import { connectionSettings } from './store.ts';

test('the server cancels statements of a serving process three seconds before their callers give up', () => {
  expect(connectionSettings({ isServing: true, connections: 7 })).toEqual({
    all: { max: 7, name: 'brickmark serve', statementMs: 7_000 },
    publishing: { max: 2, name: 'brickmark publish', statementMs: 600_000 },
    admission: { max: 1, name: 'brickmark serve', statementMs: 2_000 },
  });
});

test('a command has one pool without a timeout', () => {
  expect(connectionSettings({ isServing: false, connections: 3 })).toEqual({
    all: { max: 3, name: 'brickmark', statementMs: 0 },
    publishing: null,
    admission: null,
  });
});
