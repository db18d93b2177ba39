/** Sets as imports ask for them: what all sources together say. The same on both engines. */
import type { SetDescription } from '../domain/catalog/catalog.ts';
import { mergeSet } from '../domain/catalog/merge.ts';
import type { KnownSet } from '../domain/market/market-lookups.ts';

/** A source's record of a set, as it is stored. */
export interface SetRecordRow {
  readonly key: string;
  readonly number: string;
  readonly source: string;
  readonly body: string;
}

/** Merges the records of sets; by lookup key. */
export function knownSets(rows: readonly SetRecordRow[]): Map<string, KnownSet> {
  const found = new Map<string, KnownSet>();
  for (const [key, records] of Map.groupBy(rows, (row) => row.key)) {
    const facts = mergeSet(
      records.map(({ source, body }) => ({ source, facts: JSON.parse(body) as SetDescription })),
    );
    const number = records[0]?.number ?? facts.number;
    found.set(key, { number, title: facts.title, msrpCents: facts.msrpCents });
  }
  return found;
}
