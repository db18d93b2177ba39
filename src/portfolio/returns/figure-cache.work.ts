/** Caches figures computed from an account's lots and sales until these or the market change. */
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';

/** Cache size in characters: the figures of about a hundred large accounts. */
const roomMax = 8 * 1024 * 1024;

export interface FigureSources {
  readonly accounts: Pick<PortfolioRoomStore, 'findPrivateVersion'>;
  readonly market: Pick<MarketReading, 'publishStamp'>;
}

interface Cached<T> {
  readonly state: string;
  readonly made: Promise<T>;
  readonly room: number;
}

/** Figures by account and name. The account's version and the publish stamp are always compared. */
export class FigureCache<T> {
  private readonly cache = new BoundedMap<Cached<T>>(roomMax, ({ room }) => room);

  /** `roomOf` returns the size of figures in characters. */
  constructor(
    private readonly sources: FigureSources,
    private readonly roomOf: (figures: T) => number,
  ) {}

  /** The current figures; computed if not cached. */
  async find(
    figure: {
      readonly accountId: number;
      readonly name: string;
      /** The day of the figures, if they depend on it. */
      readonly day?: number;
    },
    make: () => Promise<T>,
  ): Promise<T> {
    const { accounts, market } = this.sources;
    // Read first: figures computed from newer data are computed again next time.
    const version = await accounts.findPrivateVersion(figure.accountId);
    const state = `${version} ${await market.publishStamp()} ${figure.day}`;
    const name = `${figure.accountId} ${figure.name}`;
    const known = this.cache.get(name);
    if (known?.state === state) return known.made;
    // Concurrent callers share the computation.
    const made = make();
    this.cache.set(name, { state, made, room: 0 });
    try {
      const figures = await made;
      this.replace(name, { state, made, room: this.roomOf(figures) });
      return figures;
    } catch (error) {
      this.replace(name, null, made);
      throw error;
    }
  }

  /** Replaces only the same entry, because a newer one may have been added in between. */
  private replace(name: string, next: Cached<T> | null, made = next?.made): void {
    if (this.cache.get(name)?.made !== made) return;
    if (next) this.cache.set(name, next);
    else this.cache.delete(name);
  }
}
