/** The cache of pictures on disk: limited, shared, and optional. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../kernel/time.ts';
import { PictureFiles } from './picture-files.ts';

const beginning = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a];
const picture = (bytes: number) => ({
  bytes: new Uint8Array([...beginning, ...new Uint8Array(bytes - beginning.length)]),
  type: 'image/png',
});

let path: string;
let now: number;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'brickmark-pictures-'));
  now = 1_000_000;
});

afterEach(() => rmSync(path, { recursive: true, force: true }));

const filesOf = (bytesMax: number) => new PictureFiles({ path, bytesMax }, () => now);

function bytesOnDisk(): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const facts = names.map((name) => statSync(join(path, name)));
  return facts.reduce((sum, fact) => sum + (fact.isFile() ? fact.size : 0), 0);
}

test('the least recently used are deleted first, across processes', async () => {
  const processes = [filesOf(10_000), filesOf(10_000)] as const;
  for (let index = 0; index < 9; index++) {
    now += 1000;
    await processes[index % 2 === 0 ? 0 : 1].save(`${index}`, picture(1_000));
  }
  now += 1000;
  expect(await processes[1].find('0')).not.toBeNull();
  for (const name of ['9', '10', '11']) {
    now += 1000;
    await processes[0].save(name, picture(1_000));
  }
  expect(bytesOnDisk()).toBeLessThanOrEqual(10_000);
  expect(await processes[0].find('0')).not.toBeNull();
  expect(await processes[0].find('1')).toBeNull();
  expect(await processes[0].find('11')).toEqual(picture(1_000));
});

test('truncated files are not served, and unfinished ones are deleted', async () => {
  const files = filesOf(10_000);
  await files.save('whole', picture(100));
  const [folder = ''] = readdirSync(path);
  const [name = ''] = readdirSync(join(path, folder));
  writeFileSync(join(path, folder, name), '');
  expect(await files.find('whole')).toBeNull();
  writeFileSync(join(path, folder, 'left.part'), 'half');
  now = statSync(join(path, folder, 'left.part')).mtimeMs + 2 * hourMs;
  await filesOf(10_000).save('next', picture(100));
  expect(readdirSync(join(path, folder))).not.toContain('left.part');
});

test('a folder that cannot be written disables the cache without errors', async () => {
  const file = join(path, 'file');
  writeFileSync(file, '');
  const files = new PictureFiles({ path: join(file, 'pictures'), bytesMax: 1_000 }, () => now);
  await files.save('a', picture(100));
  expect(await files.find('a')).toBeNull();
});
