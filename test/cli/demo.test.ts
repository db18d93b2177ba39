/** The demo command with stores that are not demos; test/process/executable.test.ts creates one. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../src/cli/command.ts';
import { findDemoFolder, makeDemoSecret } from '../../src/cli/demo.ts';
import { ownSecretFile } from '../../src/cli/secret-file.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

test('a store that is not a demo is unchanged', async () => {
  const other = join(place.folder, 'other');
  await place.json(['account', 'add', 'a@example.com', '--data', other]);
  const { status, stderr } = await place.start(['demo', '--port', '0', '--data', other]);
  expect(status).toBe(1);
  expect(stderr).toContain('is not a demo');
});

test('a port in use is reported before data is created', async () => {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  const port = String(listener.port);
  const folder = join(place.folder, 'never');
  try {
    const { status, stderr } = await place.start(['demo', '--port', port, '--data', folder]);
    expect(status).toBe(1);
    const next = `--port ${listener.port + 1}`;
    expect(stderr).toContain(`Port ${port} is in use. Choose another one, such as ${next}`);
    expect(stderr).toContain(`npm start -- ${next}`);
    expect(existsSync(folder)).toBe(false);
  } finally {
    listener.stop(true);
  }
});

test('a demo of an earlier build has to be deleted', async () => {
  const folder = join(place.folder, 'earlier');
  await place.json(['account', 'add', 'demo@brickmark.example', '--data', folder]);
  writeFileSync(join(folder, 'demo.json'), '{}');
  const file = new Database(join(folder, 'market.db'));
  file.run('PRAGMA user_version = 20');
  file.close();
  const { status, stderr } = await place.start(['demo', '--port', '0', '--data', folder]);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      `The demo in '${folder}' was made by a build before 1.0.0; delete the folder and ` +
      'start the demo again.\n',
  });
});

test('imports into a demo are refused, with a hint how to use a real store', async () => {
  const demo = join(place.folder, 'demo');
  await place.json(['account', 'add', 'demo@brickmark.example', '--data', demo]);
  writeFileSync(join(demo, 'demo.json'), '{}');
  mkdirSync(join(place.folder, 'drop'));
  for (const words of [
    ['import', 'feed', '-'],
    ['watch', 'drop', '--once'],
  ]) {
    const { status, stderr } = await place.run([...words, '--data', demo]);
    expect(status).toBe(1);
    expect(stderr).toContain('contains the demo');
    expect(stderr).toContain('--data DIR or BRICKMARK_DATA');
  }
});

test('a folder next to a demo in its default folder is not a demo', async () => {
  mkdirSync(join(place.folder, 'demo-data'));
  writeFileSync(join(place.folder, 'demo-data', 'demo.json'), '{}');
  mkdirSync(join(place.folder, 'dropped'));
  const words = ['watch', 'dropped', '--once', '--data', join(place.folder, 'beside')];
  expect((await place.run(words)).status).toBe(0);
});

test('the demo and the live demo have their own default folders', () => {
  expect(findDemoFolder({})).toBe('./demo-data');
  expect(findDemoFolder({ live: true })).toBe('./demo-live-data');
});

test('the demo creates a secret next to its folder once, unless one is set', () => {
  const dataFolder = join(place.folder, 'made', 'demo-data');
  const secretFile = ownSecretFile(dataFolder);
  expect(secretFile).toBe(join(place.folder, 'made', 'demo-data.secret'));
  const make = (file: string | null) => {
    const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    makeDemoSecret({ config: { dataFolder, secretFile: file }, randomBytes } as Context);
  };
  make(join(place.folder, 'made', 'another.secret'));
  expect(existsSync(secretFile)).toBe(false);
  make(secretFile);
  expect(statSync(secretFile).mode & 0o777).toBe(0o600);
  const secret = readFileSync(secretFile, 'utf8');
  expect(secret).toMatch(/^[0-9a-f]{64}\n$/);
  make(secretFile);
  expect(readFileSync(secretFile, 'utf8')).toBe(secret);
});
