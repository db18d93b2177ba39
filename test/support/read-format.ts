/** Reads files with a format, as an import does. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Format, ReadOptions } from '../../src/ingest/runner/format.work.ts';
import type { SourceItem } from '../../src/ingest/runner/located-row.ts';
import { readOptions } from './read-options.ts';

/** Contents by name; names may include folders. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** All items read, with places relative to the folder. */
export async function readFiles(
  format: Format,
  files: Files,
  given: { readonly paths?: readonly string[]; readonly options?: ReadOptions } = {},
): Promise<SourceItem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-files-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const paths = (given.paths ?? ['.']).map((path) => join(folder, path));
    const items: SourceItem[] = [];
    for await (const group of format.read(paths, given.options ?? readOptions())) {
      items.push(...group);
    }
    return items.map((item) =>
      'where' in item ? { ...item, where: item.where.replace(`${folder}/`, '') } : item,
    );
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(`${folder}/`, '');
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The facts of the rows, by number. */
export function factsOf(items: readonly SourceItem[]): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const item of items) {
    if (!('where' in item) || !('row' in item.result)) continue;
    const { row } = item.result;
    if ('facts' in row && 'number' in row.facts) facts[row.facts.number] = row.facts;
  }
  return facts;
}

/** The rejected rows with their reasons. */
export function rejectsOf(items: readonly SourceItem[]): string[] {
  return items.flatMap((item) =>
    'where' in item && 'reason' in item.result ? [`${item.where}: ${item.result.reason}`] : [],
  );
}

/** The warnings with their places. */
export function warningsOf(items: readonly SourceItem[]): string[] {
  return items.flatMap((item) =>
    'where' in item && 'row' in item.result
      ? (item.result.warnings ?? []).map((reason) => `${item.where}: ${reason}`)
      : [],
  );
}
