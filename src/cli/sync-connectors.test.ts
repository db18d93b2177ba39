/** What is turned on in `sources.toml` is asked. */
import { expect, test } from 'bun:test';
import { readSyncSettings } from '../sync/settings.ts';
import { makeConnectors } from './sync-connectors.ts';

function connectorsOf(text: string) {
  const settings = readSyncSettings({
    text,
    path: 'sources.toml',
    formats: [{ name: 'feed', mapping: null }],
    readVariable: (name) => `the ${name}`,
  });
  return makeConnectors(settings, () => 0).map(({ name, step }) => `${step} ${name}`);
}

test('every source that is on has a connector, by its name, and no other has', () => {
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
