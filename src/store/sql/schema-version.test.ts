/** Missing migrations by version, and rejected versions. */
import { expect, test } from 'bun:test';
import {
  isEarlierBuild,
  migrationsUpTo,
  missingMigrations,
  newestVersion,
  SchemaError,
} from './schema-version.ts';

const migrations = ['first', 'second', 'third'];
const missing = (version: number) => missingMigrations('store', version, migrations);

test('an empty store needs all migrations, others those after their version', () => {
  expect(missing(0)).toEqual(migrations);
  expect(missing(100)).toEqual(['second', 'third']);
  expect(missing(101)).toEqual(['third']);
  expect(missing(102)).toEqual([]);
});

test('each migration adds one to the version', () => {
  expect(newestVersion(migrations.slice(0, 1))).toBe(100);
  expect(newestVersion(migrations)).toBe(102);
  expect(migrationsUpTo(100, migrations)).toEqual(['first']);
  expect(migrationsUpTo(101, migrations)).toEqual(['first', 'second']);
  expect(migrationsUpTo(102, migrations)).toEqual(migrations);
});

test('versions of newer builds and of builds before 0.9.0 are rejected', () => {
  expect(() => missing(103)).toThrow(
    'a newer version of Brickmark (schema 103; this version has 102)',
  );
  for (const version of [1, 99]) {
    expect(() => missing(version)).toThrow(SchemaError);
    expect(() => missing(version)).toThrow('The store was made by a build before 0.9.0');
  }
  expect([0, 1, 99, 100].map(isEarlierBuild)).toEqual([false, true, true, false]);
});
