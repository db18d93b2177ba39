/** The demo command beside what is no demo; test/process/executable.test.ts makes one. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../src/cli/command.ts';
import { demoSecretFile, findDemoFolder, makeDemoSecret } from '../../src/cli/demo.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

test('a store that is not a demo is left alone', async () => {
  const other = join(place.folder, 'other');
  await place.json(['account', 'add', 'a@example.com', '--data', other]);
  const { status, stderr } = await place.start(['demo', '--port', '0', '--data', other]);
  expect(status).toBe(1);
  expect(stderr).toContain('is not a demo');
});

test('a port that is in use is told before anything is made', async () => {
  const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  const port = String(taken.port);
  const folder = join(place.folder, 'never');
  try {
    const { status, stderr } = await place.start(['demo', '--port', port, '--data', folder]);
    expect(status).toBe(1);
    const next = `--port ${taken.port + 1}`;
    expect(stderr).toContain(`Port ${port} is in use. Choose another one, such as ${next}`);
    expect(stderr).toContain(`npm start -- ${next}`);
    expect(existsSync(folder)).toBe(false);
  } finally {
    taken.stop(true);
  }
});

test('a demo of an earlier build is to be deleted', async () => {
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
      `The demo in '${folder}' was made by a build before 0.9.0; delete the folder and start ` +
      'the demo again.\n',
  });
});

test('nothing is imported into a demo, and the way to a real store is told', async () => {
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

test('the demo has a folder of its own, and so has the live one', () => {
  expect(findDemoFolder({})).toBe('./demo-data');
  expect(findDemoFolder({ live: true })).toBe('./demo-live-data');
});

test('the demo makes itself a secret beside its folder, once, unless the settings have one', () => {
  const dataFolder = join(place.folder, 'made', 'demo-data');
  const secretFile = demoSecretFile(dataFolder);
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
