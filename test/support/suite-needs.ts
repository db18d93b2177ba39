/** Requirements of suites besides Bun and SQLite, determined by their imports. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPostgresSuite } from './engine-suites.ts';
import { listFiles } from './imports.ts';

const root = resolve(import.meta.dir, '..', '..');

export type Need = 'a browser' | 'PostgreSQL' | 'other processes' | 'files of other services';

/** Something slow or possibly missing; null if the suite needs nothing. */
export function findNeed(suite: string): Need | null {
  if (isPostgresSuite(suite)) return 'PostgreSQL';
  if (suite.startsWith('test/real')) return 'files of other services';
  const files = [...listFiles(suite)].filter(isTestCode);
  if (files.includes('test/support/browser.ts')) return 'a browser';
  if (files.includes('test/support/postgres-server.ts')) return 'PostgreSQL';
  return files.some(startsProcesses) ? 'other processes' : null;
}

function isTestCode(path: string): boolean {
  return !path.startsWith('src/') || path.endsWith('.test.ts');
}

function startsProcesses(path: string): boolean {
  return /\bspawn(Sync)?\(/.test(readFileSync(join(root, path), 'utf8'));
}
