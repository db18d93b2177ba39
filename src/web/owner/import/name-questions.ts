/** Compares the names of sets in a file with those of the catalog. */
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { findBetterFit, mayBeOther } from '../../../domain/search/name-fit.ts';
import type { NamedSet } from '../../../ingest/own-import.ts';
import { suggestItems } from '../../catalog/find-item.ts';
import type { WebDeps } from '../../deps.ts';

/** Searches for the names of a file; rows after that are imported by their numbers. */
const searchesMax = 2_000;

/**
 * Makes a function that asks about names, for one reading of a file. Most names resemble that of
 * their number; only the others are searched for, each once.
 */
export function nameQuestions(deps: WebDeps) {
  const asked = new Map<string, Promise<string | null>>();
  const ask = async ({ number, name }: NamedSet, title: string): Promise<string | null> => {
    const own = { number, title };
    const other = findBetterFit(name, own, await suggestItems(deps, 'set', name));
    if (other === null) return null;
    return `the file says '${name}', which is ${other.number}; ${number} is '${title}'`;
  };
  return async (named: readonly NamedSet[]): Promise<(string | null)[]> => {
    const keyOf = ({ number }: NamedSet) => itemKey('set', number);
    const sets = await deps.market.findKnownSets([...new Set(named.map(keyOf))]);
    return Promise.all(
      named.map((each) => {
        const title = sets.get(keyOf(each))?.title;
        if (!title || !mayBeOther(each.name, title)) return null;
        const about = `${keyOf(each)} ${each.name}`;
        if (!asked.has(about) && asked.size < searchesMax) asked.set(about, ask(each, title));
        return asked.get(about) ?? null;
      }),
    );
  };
}
