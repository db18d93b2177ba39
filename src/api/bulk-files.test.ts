/** What processes that were killed have left, which others must not stumble over. */
import { expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { removeAbandoned } from './bulk-files.ts';

test('a folder that cannot be removed keeps nobody from removing others', () => {
  // No process has such an id.
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'brickmark-bulk-99999999-')));
  const tried: string[] = [];
  removeAbandoned((path) => {
    if (!folders.includes(path)) return;
    tried.push(path);
    if (tried.length === 1) throw Object.assign(new Error(basename(path)), { code: 'EPERM' });
    rmSync(path, { recursive: true });
  });
  expect([...tried].sort()).toEqual([...folders].sort());
  expect(tried.map(existsSync)).toEqual([true, false]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
