/** A small generated market, and everything that a store has made of it, to be compared. */
import type { StoredParameters } from '../../src/domain/market/estimator.ts';
import type { ItemInputs } from '../../src/domain/market/publishing-store.ts';
import type { Store } from '../../src/domain/store.ts';
import { demoMarket } from '../../src/simulate/demo-world.ts';
import { Random } from '../../src/simulate/random.ts';
import type { FeedLine } from './world.ts';

/** The lines of a market, the catalog apart from what refers to it, and that from corrections. */
export interface SmallMarket {
  readonly catalog: readonly FeedLine[];
  readonly rows: readonly FeedLine[];
  readonly retractions: readonly FeedLine[];
}

/** How many sets and minifigs a small market has. */
export const smallWorldItems = 32;

/** A few sets and minifigs, sold for fourteen months until a day. */
export function smallWorld(today: number): SmallMarket {
  const minifigs = 8;
  const sets = smallWorldItems - minifigs;
  const size = { sets, minifigs, years: 1.2, salesPerSet: 24, offerYears: 0.2 };
  const lines = [...demoMarket({ seed: 5, today, size })].map((line) => JSON.parse(line));
  const of = (...kinds: string[]) => lines.filter(({ kind }) => kinds.includes(kind));
  return {
    catalog: of('fx', 'minifig', 'set'),
    rows: of('sale', 'offer'),
    retractions: of('retract'),
  };
}

/** Lines in another order. */
export function shuffled(lines: readonly FeedLine[], seed: number): FeedLine[] {
  const random = new Random(seed, 'shuffle');
  return lines
    .map((line) => ({ line, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}

/** Lines in batches of very different sizes. */
export function split(lines: readonly FeedLine[], seed: number, batches: number): FeedLine[][] {
  const random = new Random(seed, 'split');
  const cuts = Array.from({ length: batches - 1 }, () =>
    Math.floor(random.fraction() * lines.length),
  );
  const ends = [...cuts.sort((a, b) => a - b), lines.length];
  return ends.map((end, index) => lines.slice(ends[index - 1] ?? 0, end));
}

/** What a store has published of one item. */
export interface Made extends Pick<ItemInputs, 'series' | 'evidence'> {
  readonly document: string | undefined;
}

/** What a store has made of its rows, by item. */
export interface Outcome {
  readonly items: ReadonlyMap<string, Made>;
  readonly parameters: readonly StoredParameters[];
}

/** Everything that publishing has written. */
export async function outcomeOf({ market }: Store, at: number): Promise<Outcome> {
  const items = new Map<string, Made>();
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  const inputs = await market.loadInputs(ids, { at, withSeries: true });
  const named = inputs.map((item) => ({ name: `${item.kind} ${item.key}`, item }));
  for (const { name, item } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const document = (await market.findDocument(item.kind, item.key))?.body;
    items.set(name, { document, series: item.series, evidence: item.evidence });
  }
  return { items, parameters: (await market.findParameters()).parameters };
}
