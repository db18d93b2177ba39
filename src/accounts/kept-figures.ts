/** What was worked out of an account's lots and sales, kept while none of that has changed. */
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { LotStore } from '../domain/portfolio/lot-store.ts';

/** How much is kept, in characters: the figures of some hundred large accounts. */
const roomMax = 8 * 1024 * 1024;

/** Who can tell whether something changed. */
export interface FigureSources {
  readonly accounts: Pick<LotStore, 'findPrivateVersion'>;
  readonly market: Pick<MarketReading, 'publishStamp'>;
}

interface Kept<T> {
  readonly state: string;
  readonly made: Promise<T>;
  readonly room: number;
}

/**
 * Figures by account and name; the newest of each. Both sides prove that they still hold: the
 * account's version and the market's stamp are read each time.
 */
export class KeptFigures<T> {
  private readonly kept = new BoundedMap<Kept<T>>(roomMax, ({ room }) => room);

  /** What figures take, in characters. */
  constructor(
    private readonly sources: FigureSources,
    private readonly roomOf: (figures: T) => number,
  ) {}

  /** The figures of an account as things stand; made where they are not there. */
  async find(
    asked: {
      readonly accountId: number;
      readonly name: string;
      /** The day that they are of, where that matters. */
      readonly day?: number;
    },
    make: () => Promise<T>,
  ): Promise<T> {
    const { accounts, market } = this.sources;
    // Both are read before anything else is: what is made from newer data is made again next time.
    const version = await accounts.findPrivateVersion(asked.accountId);
    const state = `${version} ${await market.publishStamp()} ${asked.day}`;
    const name = `${asked.accountId} ${asked.name}`;
    const known = this.kept.get(name);
    if (known?.state === state) return known.made;
    // Whoever asks meanwhile waits for the same figures.
    const made = make();
    this.kept.set(name, { state, made, room: 0 });
    try {
      const figures = await made;
      this.replace(name, { state, made, room: this.roomOf(figures) });
      return figures;
    } catch (error) {
      this.replace(name, null, made);
      throw error;
    }
  }

  /** Only what is still there is replaced: something newer may have come in between. */
  private replace(name: string, next: Kept<T> | null, made = next?.made): void {
    if (this.kept.get(name)?.made !== made) return;
    if (next) this.kept.set(name, next);
    else this.kept.delete(name);
  }
}
