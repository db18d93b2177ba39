/** Missing migrations by version, and rejected versions. */
import { expect, test } from 'bun:test';
import { schema } from '../postgres/schema.ts';
import { accountMigrations, marketMigrations } from '../sqlite/schema.ts';
import {
  firstVersion,
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
  expect(missing(firstVersion)).toEqual(['second', 'third']);
  expect(missing(firstVersion + 1)).toEqual(['third']);
  expect(missing(firstVersion + 2)).toEqual([]);
});

test('each migration adds one to the version', () => {
  expect(newestVersion(migrations.slice(0, 1))).toBe(firstVersion);
  expect(newestVersion(migrations)).toBe(firstVersion + 2);
  expect(migrationsUpTo(firstVersion, migrations)).toEqual(['first']);
  expect(migrationsUpTo(firstVersion + 1, migrations)).toEqual(['first', 'second']);
  expect(migrationsUpTo(firstVersion + 2, migrations)).toEqual(migrations);
});

test('versions of newer builds and of earlier builds are rejected', () => {
  expect(() => missing(firstVersion + 3)).toThrow(
    `newer version of Brickmark (schema ${firstVersion + 3}; this version has ${firstVersion + 2})`,
  );
  for (const version of [1, firstVersion - 1]) {
    expect(() => missing(version)).toThrow(SchemaError);
    expect(() => missing(version)).toThrow('The store was made by a build before 1.0.0');
  }
  expect([0, 1, firstVersion - 1, firstVersion].map(isEarlierBuild)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('the first schema is never changed, only migrated; comments count, because SQLite keeps them', () => {
  const texts = [accountMigrations[0], marketMigrations[0], schema].join('\n');
  const digest = new Bun.CryptoHasher('sha256').update(texts).digest('hex').slice(0, 16);
  expect(digest).toBe('d9fb3a4d4c7cb649');
});
