/** How imports are written down, the same on both engines. */
import type { ImportEntry, ListedImport } from '../domain/market/journal.ts';

/** An import as it is stored: what a list needs, and apart from it what only one page shows. */
export interface ImportRow {
  readonly id: number;
  readonly body: string;
}

/** The two texts of an import. */
export function importTexts({ rejects, ...body }: ImportEntry): [body: string, rejects: string] {
  return [JSON.stringify(body), JSON.stringify(rejects)];
}

/** An import as a list shows it. */
export function toListedImport({ id, body }: ImportRow): ListedImport {
  return { id, ...(JSON.parse(body) as Omit<ListedImport, 'id'>) };
}

/** An import with its rejects. */
export function toWholeImport(row: ImportRow & { readonly rejects: string }) {
  return { ...toListedImport(row), rejects: JSON.parse(row.rejects) as ImportEntry['rejects'] };
}
