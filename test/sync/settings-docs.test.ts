/** The docs of `sources.toml` are correct and complete. */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSyncSettings, settingNames } from '../../src/sync/settings.ts';

const root = join(import.meta.dir, '../..');
const folder = join(root, 'docs/sources');
const overview = readFileSync(join(folder, 'README.md'), 'utf8');

test('every setting is on the page of its source, or on the page about all of them', () => {
  const missing = Object.entries(settingNames).flatMap(([source, { plain, secret }]) => {
    const page = join(folder, `${source}.md`);
    const text = overview + (existsSync(page) ? readFileSync(page, 'utf8') : '');
    const names = [...plain, ...secret.map((name) => `${name}_`)];
    return names.filter((name) => !text.includes(name)).map((name) => `${source}.${name}`);
  });
  expect(missing).toEqual([]);
});

test('the examples on other pages are valid', () => {
  const pages = Object.keys(settingNames).map((source) => join(folder, `${source}.md`));
  for (const page of pages.filter((path) => existsSync(path))) {
    const [, text = ''] = /```toml\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
    const settings = readSyncSettings({
      text: text
        // Secret files do not exist here.
        .replaceAll(/_file = "[^"]*"/g, '_env = "A_SECRET"')
        .replaceAll(/mapping = "[^"]*"/g, 'mapping = "README.md"'),
      path: join(folder, 'sources.toml'),
      formats: [
        { name: 'offers-csv', mapping: 'required' },
        { name: 'feed', mapping: null },
      ],
      readVariable: (name) => (name === 'A_SECRET' ? 'https://a.example.com/feed' : `the ${name}`),
    });
    expect(text.trim()).not.toBe('');
    expect(settings.warnings).toEqual([]);
  }
});

test('the example is valid with the variables of .env.example', () => {
  const [, text = ''] = /```toml\n([\s\S]*?)```/.exec(overview) ?? [];
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const variables = [...example.matchAll(/^(\w+)=$/gm)].map(([, name = '']) => name);
  const settings = readSyncSettings({
    // Secret files do not exist here.
    text: text
      .replace('key_file = "/run/secrets/keepa"', 'key_env = "KEEPA_KEY"')
      .replace('"retailer-b.mapping.json"', '"README.md"'),
    path: join(root, 'docs/sources/sources.toml'),
    formats: [{ name: 'offers-csv', mapping: 'optional' }],
    readVariable: (name) => (variables.includes(name) ? `the ${name}` : null),
  });
  expect(settings.bricklink?.callsPerDay).toBe(5000);
});
