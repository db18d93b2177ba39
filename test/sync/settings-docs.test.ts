/** The docs of `sources.toml` are correct and complete. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeConnectors } from '../../src/cli/sync/sync-sources.ts';
import { readSyncSettings } from '../../src/sync/settings.work.ts';
import { baseUrl, defineSource } from '../../src/sync/source.work.ts';
import { sources } from '../../src/sync/sources.work.ts';
import { readAt } from '../support/read-options.ts';
import { plannerOf } from '../support/source-market.ts';

const root = join(import.meta.dir, '../..');
const folder = join(root, 'docs/sources');
const overview = readFileSync(join(folder, 'README.md'), 'utf8');
const noPlan = { calls: [], nextAt: 0 };
const pageOf = (source: string) => readFileSync(join(folder, `${source}.md`), 'utf8');

test('every file of a source is a row', () => {
  const files = readdirSync(join(root, 'src/sync/sources')).filter(
    (name) => !/\.test\./.test(name),
  );
  expect(files.sort()).toEqual(sources.map(({ name }) => `${name}.work.ts`).sort());
});

test('a source that cannot be called, or does not say what it provides, does not compile', () => {
  const settings = { url: baseUrl('https://a.example.com/') };
  const connect = () => ({ budget: null, check: async () => '', plan: async () => noPlan });
  expect(defineSource({ name: 'a', data: 'Feeds', settings, connect }).name).toBe('a');
  // @ts-expect-error: It has no connection.
  defineSource({ name: 'a', data: 'Feeds', settings });
  // @ts-expect-error: It has no data.
  defineSource({ name: 'a', settings, connect });
  // @ts-expect-error: It has no default address.
  defineSource({ name: 'a', data: 'Feeds', settings: {}, connect });
});

test('every source has a page, in the order of the overview', () => {
  const pages = [...overview.matchAll(/^\| \[`(.+?)`\]\((.+?)\) \|/gm)].map(([, ...row]) => row);
  expect(pages).toEqual(sources.map(({ name }) => [name, `${name}.md`]));
  for (const { name } of sources) expect(pageOf(name)).toStartWith(`# \`${name}\`: `);
});

test('every setting is on the page of its source, or on the page about all of them', () => {
  const missing = sources.flatMap(({ name: source, names: { plain, secret } }) => {
    const text = overview + pageOf(source);
    const names = [...plain, ...secret.map((name) => `${name}_`)];
    return names.filter((name) => !text.includes(name)).map((name) => `${source}.${name}`);
  });
  expect(missing).toEqual([]);
  for (const name of ['keep_days', 'keep_mb']) expect(overview).toContain(`\`${name}\``);
});

test('every source can be called with the example of its page', async () => {
  for (const { name: source } of sources) {
    const [, text = ''] = /```toml\n([\s\S]*?)```/.exec(pageOf(source)) ?? [];
    const settings = readSyncSettings({
      text: text
        // Secret files do not exist here.
        .replaceAll(/_file = "[^"]*"/g, '_env = "A_SECRET"')
        .replaceAll(/mapping = "[^"]*"/g, 'mapping = "README.md"'),
      path: join(folder, 'sources.toml'),
      readVariable: (name) => (name === 'A_SECRET' ? 'https://a.example.com/feed' : `the ${name}`),
    });
    expect(text).toMatch(new RegExp(`^\\[+${source}\\]`));
    expect(settings.warnings).toEqual([]);
    expect(settings.sources).not.toBeEmpty();
    for (const connector of makeConnectors(settings, () => readAt)) {
      const { name, budget } = connector;
      const left = budget === null ? null : 100;
      const planner = plannerOf([{ number: '10482', asin: 'B0HARBOUR1' }]);
      const asked = { source: name, cursor: null, at: readAt, limit: 50, planner, left };
      expect((await connector.plan(asked)).calls).not.toBeEmpty();
    }
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
    readVariable: (name) => (variables.includes(name) ? `the ${name}` : null),
  });
  const bricklink = settings.sources.find(({ name }) => name === 'bricklink');
  expect(bricklink?.settings).toMatchObject({ callsPerDay: 5000 });
});
