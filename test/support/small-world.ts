/** A small generated market, and everything that a store publishes for it. */
import { demoMarket, makeDemoWorld } from '../../simulator/market/demo-world.ts';
import { Random } from '../../simulator/market/random.ts';
import type { ItemInputs } from '../../src/market/published/publishing.ts';
import type { StoredParameters } from '../../src/market/values/estimator.ts';
import type { Store } from '../../src/store/store.ts';
import type { FeedLine } from './stored-world.ts';

/** The catalog, the rows that refer to it, and the retractions of those. */
export interface SmallMarket {
  readonly catalog: readonly FeedLine[];
  readonly rows: readonly FeedLine[];
  readonly retractions: readonly FeedLine[];
}

/** The number of sets and minifigs. */
export const smallWorldItems = 32;

/** A market with about 14 months of sales until `today`. */
export function smallWorld(today: number): SmallMarket {
  const minifigs = 8;
  const sets = smallWorldItems - minifigs;
  const size = { sets, minifigs, years: 1.2, salesPerSet: 24, offerYears: 0.2 };
  const lines = [...demoMarket(makeDemoWorld({ seed: 5, today, size }))];
  const of = (...kinds: string[]) => lines.filter(({ kind }) => kinds.includes(String(kind)));
  return {
    catalog: of('fx', 'minifig', 'set'),
    rows: of('sale', 'offer'),
    retractions: of('retract'),
  };
}

export function shuffled(lines: readonly FeedLine[], seed: number): FeedLine[] {
  const random = new Random(seed, 'shuffle');
  return lines
    .map((line) => ({ line, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}

/** Batches of very different sizes. */
export function split(lines: readonly FeedLine[], seed: number, batches: number): FeedLine[][] {
  const random = new Random(seed, 'split');
  const cuts = Array.from({ length: batches - 1 }, () =>
    Math.floor(random.fraction() * lines.length),
  );
  const ends = [...cuts.sort((a, b) => a - b), lines.length];
  return ends.map((end, index) => lines.slice(ends[index - 1] ?? 0, end));
}

/** The published data of an item. */
export interface ItemOutcome extends Pick<ItemInputs, 'series' | 'evidence'> {
  readonly document: string | undefined;
}

export interface Outcome {
  readonly items: ReadonlyMap<string, ItemOutcome>;
  readonly parameters: readonly StoredParameters[];
}

export async function outcomeOf({ market }: Store, at: number): Promise<Outcome> {
  const items = new Map<string, ItemOutcome>();
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  const inputs = await market.loadInputs(ids, { at, withSeries: true });
  const named = inputs.map((item) => ({ name: `${item.kind} ${item.key}`, item }));
  for (const { name, item } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const document = (await market.findDocument(item.kind, item.key))?.body;
    items.set(name, { document, series: item.series, evidence: item.evidence });
  }
  return { items, parameters: (await market.findParameters()).parameters };
}
