/** What accounts may pay for items by their own buying settings, worked out where it decides. */
import { type BuyingSettings, tablesOf, termsOf } from '../domain/buying/buying-settings.ts';
import { type FeeTables, sellingChannels } from '../domain/buying/channels.ts';
import { isAssumed, priceIn, type Resale } from '../domain/buying/resale.ts';
import { whatToPay } from '../domain/buying/what-to-pay.ts';
import type { ResaleRecord } from '../domain/market/market-reading.ts';

/** What it is worked out from. */
export interface MaxBuySource {
  /** Read when the first price is worked out. */
  findTables(): FeeTables;
  /** What is known of selling one unit of a set, sealed; null where it has no value. */
  readResale(record: ResaleRecord): Resale | null;
}

/** The max buy prices of a set, by settings: many accounts have the same ones. */
export class MaxBuyPrices {
  private resale: Resale | null | undefined;
  private readonly byTerms = new Map<BuyingSettings, number | null>();

  constructor(
    private readonly source: MaxBuySource,
    private readonly record: ResaleRecord,
    private readonly at: number,
  ) {}

  /** What may be paid, if that is at least so much; null otherwise. */
  find(settings: BuyingSettings, atLeastCents: number): number | null {
    if (this.resale === undefined) this.resale = this.source.readResale(this.record);
    const { resale } = this;
    if (resale === null || ceilingOf(resale, settings) < atLeastCents) return null;
    const known = this.byTerms.get(settings);
    const cents = known === undefined ? this.work(resale, settings) : known;
    this.byTerms.set(settings, cents);
    return cents !== null && cents >= atLeastCents ? cents : null;
  }

  private work(resale: Resale, settings: BuyingSettings): number | null {
    const tables = tablesOf(this.source.findTables(), settings);
    const question = { terms: termsOf(settings), at: this.at, channel: null, withModeled: false };
    return whatToPay(tables, resale, question).maxBuyCents;
  }
}

/**
 * More than this may never be paid: what a sale brings before any fee, and what comes back of the
 * price. It rules most offers out before anything is added up.
 */
function ceilingOf(resale: Resale, { share, cashbackBasisPoints }: BuyingSettings): number {
  const highest = sellingChannels.reduce(
    (most, channel) =>
      isAssumed(resale, channel) ? most : Math.max(most, priceIn(resale, channel, share)),
    0,
  );
  return (highest * 10_000) / (10_000 - cashbackBasisPoints) + 1;
}

/** Settings by account, where equal ones are one object: what is worked out is found again. */
export function sharedSettings(
  settings: ReadonlyMap<number, BuyingSettings>,
): ReadonlyMap<number, BuyingSettings> {
  const known = new Map<string, BuyingSettings>();
  return new Map(
    [...settings].map(([accountId, own]) => {
      const name = JSON.stringify(own);
      const one = known.get(name) ?? own;
      known.set(name, one);
      return [accountId, one];
    }),
  );
}
