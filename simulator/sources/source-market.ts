/** The simulated market up to the current time, as sources report it. */
import type { MinifigFacts, SetFacts } from '../../src/catalog/items/catalog.ts';
import { type ItemKind, itemKey } from '../../src/catalog/items/numbers.ts';
import type { Clock } from '../../src/kernel/time.ts';
import type { Channel, Offer, Sale } from '../../src/market/source-rows/source-rows.ts';

/** All events, including future ones, which sources report once their clock reaches them. */
export interface SourceMarket {
  readonly sets: readonly SetFacts[];
  readonly minifigs: readonly MinifigFacts[];
  readonly sales: readonly Sale[];
  readonly offers: readonly Offer[];
  /** US dollars per unit. */
  readonly usdPerUnit: Readonly<Record<string, number>>;
}

export interface SimulatedWorld {
  readonly market: MarketIndex;
  readonly clock: Clock;
}

export type SimulatedServer = (request: Request) => Promise<Response>;

/** Lookups by number. */
export class MarketIndex {
  private readonly sets: ReadonlyMap<string, SetFacts>;
  private readonly minifigs: ReadonlyMap<string, MinifigFacts>;
  private readonly sales = new Map<string, Sale[]>();
  private readonly offers = new Map<string, Offer[]>();

  constructor(readonly whole: SourceMarket) {
    this.sets = new Map(whole.sets.map((set) => [itemKey('set', set.number), set]));
    this.minifigs = new Map(whole.minifigs.map((fig) => [itemKey('minifig', fig.number), fig]));
    for (const sale of whole.sales) add(this.sales, `${sale.itemKind} ${sale.itemKey}`, sale);
    for (const offer of whole.offers) add(this.offers, offer.setKey, offer);
  }

  findSet(number: string): SetFacts | null {
    return this.sets.get(itemKey('set', number)) ?? null;
  }

  findMinifig(number: string): MinifigFacts | null {
    return this.minifigs.get(itemKey('minifig', number)) ?? null;
  }

  /** Oldest first. */
  listSales(
    item: { readonly kind: ItemKind; readonly number: string },
    { channels, from, to }: { channels: readonly Channel[]; from: number; to: number },
  ): Sale[] {
    return (this.sales.get(`${item.kind} ${itemKey(item.kind, item.number)}`) ?? [])
      .filter(
        ({ channel, soldAt }) => channel !== null && channels.includes(channel) && soldAt > from,
      )
      .filter(({ soldAt }) => soldAt <= to)
      .sort((a, b) => a.soldAt - b.soldAt);
  }

  /** Oldest first. */
  listOffers(setNumber: string, retailer: Offer['retailer'], to: number): Offer[] {
    return (this.offers.get(itemKey('set', setNumber)) ?? [])
      .filter((offer) => offer.retailer === retailer && offer.observedAt <= to)
      .sort((a, b) => a.observedAt - b.observedAt);
  }

  /** Null without a rate. */
  convert(cents: number, from: string, to: string): number | null {
    if (from === to) return cents;
    const [left, right] = [this.rate(from), this.rate(to)];
    return left === null || right === null ? null : (cents * left) / right;
  }

  private rate(currency: string): number | null {
    return currency === 'USD' ? 1 : (this.whole.usdPerUnit[currency] ?? null);
  }
}

function add<T>(lists: Map<string, T[]>, key: string, member: T): void {
  const list = lists.get(key);
  if (list) list.push(member);
  else lists.set(key, [member]);
}

/** Calls by UTC day, for daily limits. */
export class DailyCalls {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** False if the limit is exceeded. */
  take(at: number): boolean {
    const day = new Date(at).toISOString().slice(0, 10);
    const count = (this.counts.get(day) ?? 0) + 1;
    this.counts.set(day, count);
    return count <= this.most;
  }

  /** Oldest first. */
  list(): readonly (readonly [day: string, calls: number])[] {
    return [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
