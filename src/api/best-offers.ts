/** What sets cost at the retailers, kept in memory as long as the store proves it fresh. */
import { type BestOffer, bestOffer } from '../buying/best-offer.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { Freshness } from './freshness.ts';

/** What an offer takes, in characters. */
const offerRoom = 50;

/** How much is kept: some 60,000 sets, more than there are. */
const keptRoomMax = 16 * 1024 * 1024;

/** A set that was looked up; null: no retailer has it. */
interface LookedUp {
  readonly offer: BestOffer | null;
}

/** Reads the best offers of sets; what was read is kept until the set is published again. */
export class BestOfferCache {
  private readonly kept = new BoundedMap<LookedUp>(keptRoomMax, () => offerRoom);

  constructor(
    private readonly market: Pick<MarketReading, 'listRetail'>,
    private readonly freshness: Pick<Freshness, 'follow' | 'refresh' | 'stamp'>,
  ) {
    freshness.follow((changes) => {
      if (changes === null) this.kept.clear();
      else for (const { kind, key } of changes) if (kind === 'set') this.kept.delete(key);
    });
  }

  /** The cheapest offers of sets; those that no retailer has are left out. */
  async find(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>> {
    await this.freshness.refresh();
    const { stamp } = this.freshness;
    const found = new Map<string, BestOffer>();
    const missing: string[] = [];
    for (const key of setKeys) {
      const known = this.kept.get(key);
      if (!known) missing.push(key);
      else if (known.offer) found.set(key, known.offer);
    }
    if (missing.length === 0) return found;
    for (const { setKey, body } of await this.market.listRetail(missing, null)) {
      const offer = bestOffer(JSON.parse(body));
      if (offer) found.set(setKey, offer);
    }
    // Not what may have been published again while it was read.
    if (this.freshness.stamp !== stamp) return found;
    for (const key of missing) this.kept.set(key, { offer: found.get(key) ?? null });
    return found;
  }
}
