/** Where the settings of sources are found. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { findSyncSettings } from './sync-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-sync-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = { dataFolder: folder, sourcesFile: null, readVariable: () => null };

test('beside the store, unless another file is named; without any, nothing is set', () => {
  expect(findSyncSettings(config)).toBe(null);
  writeFileSync(join(folder, 'sources.toml'), 'keep_days = 3\n');
  writeFileSync(join(folder, 'other.toml'), 'keep_days = 5\n');
  expect(findSyncSettings(config)?.keepDays).toBe(3);
  const other = join(folder, 'other.toml');
  expect(findSyncSettings({ ...config, sourcesFile: other })?.keepDays).toBe(5);
});

test('a file that is named and not there is said to be', () => {
  const sourcesFile = join(folder, 'missing.toml');
  const find = () => findSyncSettings({ ...config, sourcesFile });
  expect(find).toThrow(ConfigError);
  expect(find).toThrow(`'${sourcesFile}' (ENOENT). Check BRICKMARK_SOURCES`);
});

test('formats of an account are not for addresses', () => {
  const sourcesFile = join(folder, 'private.toml');
  const write = (format: string) =>
    writeFileSync(sourcesFile, `[[http]]\nname = "a"\nurl = "https://a.example.com/"\n${format}\n`);
  write('format = "collection"');
  const find = () => findSyncSettings({ ...config, sourcesFile });
  expect(find).toThrow(ConfigError);
  expect(find).toThrow("'format' cannot be 'collection'");
  write('format = "offers-csv"');
  expect(find).toThrow("needs a 'mapping'");
  write('format = "feed"');
  expect(find()?.http[0]?.format).toBe('feed');
});
