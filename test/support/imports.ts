/** Finds the files that a file imports, directly and transitively. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..', '..');

/** The file and all its imports, as paths from the root. */
export function listFiles(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of listImports(path)) listFiles(imported, found);
  return found;
}

const imports = new Map<string, readonly string[]>();

/** Its own imports. Type-only ones are left out, as they do not exist at run time. */
export function listImports(path: string): readonly string[] {
  const known = imports.get(path);
  if (known) return known;
  const full = join(root, path);
  const text = existsSync(full) ? readFileSync(full, 'utf8') : '';
  const names = text.matchAll(/^(?:import|export)(?! type\b)[^;]*? from '(\.[^']+)';$/gm);
  const found = [...names].map(([, to = '']) => relative(root, resolve(dirname(full), to)));
  imports.set(path, found);
  return found;
}
