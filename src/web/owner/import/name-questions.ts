/** Compares the names of sets in a file with those of the catalog. */
import { itemKey } from '../../../catalog/items/numbers.ts';
import { findBetterFit, mayBeOther } from '../../../catalog/search/name-fit.ts';
import type { NamedSet } from '../../../ingest/runner/own-import.work.ts';
import { yieldToEventLoop } from '../../../kernel/event-loop.ts';
import { suggestItems } from '../../catalog/find-item.ts';
import type { WebDeps } from '../../page.ts';

/** Searches for the names of a file; rows after that are imported by their numbers. */
const searchesMax = 1_000;

/**
 * Makes a function that asks about names, for one reading of a file. Most names resemble that of
 * their number; only the others are searched for, each once.
 */
export function nameQuestions(deps: WebDeps) {
  const questionOf = new Map<string, string | null>();
  const ask = async ({ number, name }: NamedSet, title: string): Promise<string | null> => {
    const about = `${itemKey('set', number)} ${name}`;
    const before = questionOf.get(about);
    if (before !== undefined || questionOf.size >= searchesMax) return before ?? null;
    const other = findBetterFit(name, { number, title }, await suggestItems(deps, 'set', name));
    const question =
      other && `the file says '${name}', which is ${other.number}; ${number} is '${title}'`;
    questionOf.set(about, question);
    // A search takes milliseconds.
    await yieldToEventLoop();
    return question;
  };
  return async (named: readonly NamedSet[]): Promise<(string | null)[]> => {
    const keys = named.map(({ number }) => itemKey('set', number));
    const sets = await deps.market.findKnownSets([...new Set(keys)]);
    const questions: (string | null)[] = [];
    for (const [index, each] of named.entries()) {
      const title = sets.get(keys[index] ?? '')?.title ?? '';
      const isSearched = title !== '' && mayBeOther(each.name, title);
      questions.push(isSearched ? await ask(each, title) : null);
    }
    return questions;
  };
}
