/** Which sources are configured: where `sources.toml` is found, and which connectors it enables. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config.ts';
import { readSyncSettings } from '../../sync/settings.work.ts';
import { findSyncSettings, makeConnectors } from './sync-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-sync-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = { dataFolder: folder, sourcesFile: null, readVariable: () => null };

test('sources.toml in the data folder is read, unless another file is set', () => {
  expect(findSyncSettings(config)).toBe(null);
  writeFileSync(join(folder, 'sources.toml'), 'keep_days = 3\n');
  writeFileSync(join(folder, 'other.toml'), 'keep_days = 5\n');
  expect(findSyncSettings(config)?.keepDays).toBe(3);
  const other = join(folder, 'other.toml');
  expect(findSyncSettings({ ...config, sourcesFile: other })?.keepDays).toBe(5);
});

test('a missing file that is set is an error', () => {
  const sourcesFile = join(folder, 'missing.toml');
  const find = () => findSyncSettings({ ...config, sourcesFile });
  expect(find).toThrow(ConfigError);
  expect(find).toThrow(`'${sourcesFile}' (ENOENT). Check BRICKMARK_SOURCES`);
});

test('formats of accounts cannot be fetched from addresses', () => {
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
  expect(find()?.sources.map(({ settings }) => settings)).toMatchObject([{ format: 'feed' }]);
});

function connectorsOf(text: string) {
  const settings = readSyncSettings({
    text,
    path: 'sources.toml',
    readVariable: (name) => `the ${name}`,
  });
  return makeConnectors(settings, () => 0).map(({ name, step }) => `${step} ${name}`);
}

test('every enabled source has a connector, and no other', () => {
  const http = (name: string) =>
    `[[http]]\nname = "${name}"\nurl = "https://a.example.com/"\nformat = "feed"\n`;
  const bricklink = ['consumer_key', 'consumer_secret', 'token', 'token_secret']
    .map((name) => `${name}_env = "A"\n`)
    .join('');
  expect(
    connectorsOf(
      `[ecb]\n[rebrickable]\n[brickset]\nkey_env = "A"\n[bricklink]\n${bricklink}` +
        `[keepa]\nkey_env = "A"\n[ebay]\nclient_id_env = "A"\nclient_secret_env = "A"\n` +
        `${http('one')}${http('two')}`,
    ),
  ).toEqual([
    'rates ecb',
    'catalog rebrickable',
    'catalog brickset',
    'market bricklink',
    'market keepa',
    'market ebay',
    'market one',
    'market two',
  ]);
  expect(connectorsOf('[ecb]\nenabled = false\n')).toEqual([]);
});
