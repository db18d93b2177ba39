/** Shared test resources: created once, seen only when complete, and retried after a failure. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrMake } from './made-once.ts';

let shared: string;

beforeAll(() => {
  shared = mkdtempSync(join(tmpdir(), 'brickmark-once-'));
});

afterAll(() => rmSync(shared, { recursive: true }));

test('concurrent callers share one creation and never see an incomplete folder', async () => {
  const folder = join(shared, 'thing');
  let times = 0;
  const make = async (place: string) => {
    times++;
    writeFileSync(join(place, 'first'), '1');
    await Bun.sleep(40);
    expect(existsSync(folder)).toBe(false);
    writeFileSync(join(place, 'second'), '2');
  };
  const found = await Promise.all([1, 2, 3].map(() => findOrMake(folder, make)));
  expect([times, found]).toEqual([1, [folder, folder, folder]]);
  expect(readdirSync(folder).sort()).toEqual(['first', 'second']);
});

test('a failed creation rejects for its caller, and the next caller creates the folder', async () => {
  const folder = join(shared, 'other');
  const fails = findOrMake(folder, async (place) => {
    writeFileSync(join(place, 'rest'), '');
    throw new Error('no room');
  });
  const makes = findOrMake(folder, async (place) => writeFileSync(join(place, 'file'), 'whole'));
  expect(fails).rejects.toThrow('no room');
  await makes;
  expect(readdirSync(folder)).toEqual(['file']);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('whole');
});
