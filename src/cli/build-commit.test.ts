/** The commit of a checkout, as git stores it. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { commitOfCheckout } from './build-commit.ts';

let folder: string;
const [one, other] = ['1'.repeat(40), '2'.repeat(40)];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-commit-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
}

const find = (path = '.') => commitOfCheckout(join(folder, path));

test('of a branch, loose or packed, and without a branch', () => {
  expect(find()).toBeNull();
  write('.git/HEAD', 'ref: refs/heads/main');
  expect(find()).toBeNull();
  write('.git/packed-refs', `# pack-refs\n${other} refs/heads/old-main\n${one} refs/heads/main`);
  expect(find()).toBe('111111111111');
  write('.git/refs/heads/main', other);
  expect(find()).toBe('222222222222');
  write('.git/HEAD', one);
  expect(find()).toBe('111111111111');
});

test('of a worktree', () => {
  write('tree/.git', 'gitdir: ../main/.git/worktrees/tree');
  write('main/.git/worktrees/tree/HEAD', 'ref: refs/heads/topic');
  write('main/.git/worktrees/tree/commondir', '../..');
  write('main/.git/refs/heads/topic', one);
  expect(find('tree')).toBe('111111111111');
});
