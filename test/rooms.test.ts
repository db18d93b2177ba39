/** The docs about rooms: every room has a README, and the graph is fresh. */
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { withRoomGraph } from '../scripts/room-graph.ts';
import { roomAndTier } from './support/rooms.ts';

const root = resolve(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** The few files of `mcp` have none; ARCHITECTURE.md says what they are for. */
const readmes = folders.filter((name) => name !== 'mcp').map((name) => `src/${name}/README.md`);

test('every folder of src is a room with a README', () => {
  for (const name of folders) expect(roomAndTier(`src/${name}/file.ts`).room as string).toBe(name);
  expect(readmes.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every README of a room fits on a few screens, and names files that exist', () => {
  for (const path of readmes) {
    const text = read(path);
    expect(text.split('\n').length).toBeLessThan(120);
    const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|json))`/g)].map(([, name = '']) => name);
    const known = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const missing = named.filter(
      (name) =>
        ![dirname(path), 'src', '.'].some((folder) => existsSync(join(root, folder, name))) &&
        !known.some((file) => file.endsWith(`/${name}`)),
    );
    expect(missing.map((name) => `${path}: ${name}`)).toEqual([]);
  }
});

test('ARCHITECTURE.md draws the rooms as they import each other (npm run docs)', () => {
  const text = read('ARCHITECTURE.md');
  expect(withRoomGraph(text, root)).toBe(text);
});
