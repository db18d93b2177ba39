/** What suites need besides Bun and SQLite, found by what they are made of. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isPostgresSuite } from './engine-suites.ts';

const root = resolve(import.meta.dir, '..', '..');

/** What a suite can need, in words for a sentence. */
export type Need = 'a browser' | 'PostgreSQL' | 'other processes' | 'files of other services';

/** What a suite needs that takes long or may not be at hand; null when it needs nothing. */
export function findNeed(suite: string): Need | null {
  if (isPostgresSuite(suite)) return 'PostgreSQL';
  if (suite.startsWith('test/real')) return 'files of other services';
  const files = [...listFiles(suite)].filter(isOfTests);
  if (files.includes('test/support/browser.ts')) return 'a browser';
  if (files.includes('test/support/postgres-server.ts')) return 'PostgreSQL';
  return files.some(startsProcesses) ? 'other processes' : null;
}

/** The files that a suite is made of: itself, and all that is imported, from the root. */
export function listFiles(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of listImports(path)) listFiles(imported, found);
  return found;
}

const imports = new Map<string, readonly string[]>();

/** What a file imports of the project's own; what it wants for its types alone does not run. */
function listImports(path: string): readonly string[] {
  const known = imports.get(path);
  if (known) return known;
  const full = join(root, path);
  const text = existsSync(full) ? readFileSync(full, 'utf8') : '';
  const names = text.matchAll(/^(?:import|export)(?! type\b)[^;]*? from '(\.[^']+)';$/gm);
  const found = [...names].map(([, to = '']) => relative(root, resolve(dirname(full), to)));
  imports.set(path, found);
  return found;
}

/** Whether a file is of the tests themselves, not of what they are about. */
function isOfTests(path: string): boolean {
  return !path.startsWith('src/') || path.endsWith('.test.ts');
}

function startsProcesses(path: string): boolean {
  return /\bspawn(Sync)?\(/.test(readFileSync(join(root, path), 'utf8'));
}
