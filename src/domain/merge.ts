/** One set of facts from what several sources say. */
import type { MinifigFacts, SetFacts } from './catalog.ts';

/** Sources in order of trust for catalog facts; sources that are not named come after these. */
const sourceOrder = ['feed'];

/** Merges records field by field: the most trusted source that knows a field decides it. */
export function mergeFacts<T extends SetFacts | MinifigFacts>(
  records: readonly { readonly source: string; readonly facts: T }[],
): T {
  const [first, ...others] = [...records].sort((a, b) => trust(a.source) - trust(b.source));
  if (!first) throw new Error('An item has no record to be made from.');
  const merged: Record<string, unknown> = { ...first.facts };
  for (const { facts } of others) {
    for (const [name, value] of Object.entries(facts)) merged[name] ??= value;
  }
  return merged as T;
}

function trust(source: string): number {
  const place = sourceOrder.indexOf(source);
  return place < 0 ? sourceOrder.length : place;
}
