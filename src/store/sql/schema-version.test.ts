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
    expect(() => missing(version)).toThrow('The store was made by another build before 1.0.0');
  }
  expect([0, 1, firstVersion - 1, firstVersion].map(isEarlierBuild)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

/**
 * Until 1.0.0, an edit of the first schema raises `firstVersion` and adds a row here; rows never
 * change. Comments count, because SQLite keeps them with a table.
 */
const digests: Readonly<Record<number, string>> = {
  101: '2a1765c02658ab48',
  102: '90d8d26d55640648',
  103: '83039551c295d4f8',
  104: '0b6cd1e8b004092e',
  105: '167deeb93b70aad5',
  106: '5a9014e1de17c111',
  107: '69c539f2f873e543',
};

test('every edit of the first schema has a number of its own', () => {
  const texts = [accountMigrations[0], marketMigrations[0], schema].join('\n');
  const digest = new Bun.CryptoHasher('sha256').update(texts).digest('hex').slice(0, 16);
  expect({ [firstVersion]: digest }).toEqual({ [firstVersion]: digests[firstVersion] ?? 'new' });
  expect(new Set(Object.values(digests)).size).toBe(Object.keys(digests).length);
});
