/** `brickmark-client`, the client as a package of its own: it is small, and works installed. */
// @runs SQLite (rest): installs a package
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { packNpmClient } from '../../scripts/pack-clients.ts';
import {
  expectClientWorks,
  expectTypes,
  runIn,
  typeSettings,
  writeClientPrograms,
} from '../support/client-programs.ts';
import { commandsBefore, programIn } from '../support/doc-programs.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { startWorld, type World } from '../support/world.ts';

let folder: string;
let tarball: string;
let world: World;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-client-'));
  tarball = await packNpmClient(folder);
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount('a@example.com');
  await world.load(smallCollection('a@example.com'));
  key = await world.addKey('a@example.com');
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.close();
});

test('is small: 6 kB of program, and types', async () => {
  const packed = Bun.spawnSync(['tar', 'xzf', basename(tarball)], { cwd: folder });
  expect(packed.success).toBe(true);
  const program = readFileSync(join(folder, 'package', 'index.js'));
  expect(Bun.gzipSync(program).length).toBeLessThan(6_500);
  expect(statSync(tarball).size).toBeLessThan(40_000);
});

test('installs into an empty folder on any system, alone, and works in Node', async () => {
  const place = join(folder, 'empty');
  mkdirSync(place);
  const offline = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = await runIn(place, ['npm', 'install', ...offline, tarball]);
  expect(installed).toMatchObject({ stderr: '', status: 0 });
  const modules = readdirSync(join(place, 'node_modules')).filter((name) => name[0] !== '.');
  expect(modules).toEqual(['brickmark-client']);
  const found = join(place, 'node_modules', 'brickmark-client', 'package.json');
  const installedManifest = JSON.parse(readFileSync(found, 'utf8'));
  expect(installedManifest.version).toBe(manifest.version);
  for (const field of ['os', 'cpu', 'dependencies', 'scripts', 'private'])
    expect(installedManifest).not.toHaveProperty(field);
  writeClientPrograms(place, 'brickmark-client');
  await expectClientWorks(place, { url: world.url, key });
  for (const settings of typeSettings) await expectTypes(place, settings);
});

test('the quick start of docs/api.md runs as it is pasted', async () => {
  const place = join(folder, 'pasted');
  mkdirSync(place);
  await runIn(folder, ['cp', tarball, place]);
  const page = 'docs/api.md';
  writeFileSync(join(place, 'quickstart.mjs'), programIn(page, 'examples/quickstart.ts'));
  const quiet = { npm_config_offline: 'true', npm_config_loglevel: 'error' };
  const env = { BRICKMARK_URL: world.url, BRICKMARK_KEY: key, ...quiet };
  const lines = commandsBefore(page, 'examples/quickstart.ts');
  const ran = await runIn(place, ['sh', '-ec', lines], env);
  expect(ran).toMatchObject({ stderr: '', status: 0 });
  expect(ran.stdout).toMatch(/\d+ x Grand Castle: \$[\d.]+ \(-?[\d.]+%\)\n/);
  expect(ran.stdout).toMatch(/\d+ holdings\. \d+ calls remain today\.\n$/);
});
