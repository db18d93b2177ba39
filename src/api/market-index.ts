/** The list of everything on the market, kept in memory and in step with what is published. */
import { type ItemKind, itemKinds } from '../domain/catalog/numbers.ts';
import { type Clock, dayOf } from '../domain/kernel/time.ts';
import {
  type MarketItem,
  MarketList,
  type MarketRecord,
  marketName,
  toMarketItem,
} from '../domain/market/market-list.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { Freshness } from './freshness.ts';
import { KeptRows } from './kept-rows.ts';

/** Items that are read in one go. */
const sliceRows = 500;

/** Makes the list when it is asked for. */
export class MarketIndex {
  private readonly items: KeptRows<MarketItem>;
  private latest: { readonly list: MarketList; readonly version: number } | null = null;

  constructor(
    private readonly market: Pick<MarketReading, 'listMarketRecords' | 'findMarketRecords'>,
    freshness: Pick<Freshness, 'follow' | 'refresh'>,
    private readonly clock: Clock,
  ) {
    const source = {
      kinds: itemKinds,
      nameOf: marketName,
      namesOf: (kind: ItemKind, key: string) => [marketName({ kind, key })],
      readAll: () => this.readAll(),
      readSome: async (kind: ItemKind, keys: readonly string[]) =>
        this.toItems(await market.findMarketRecords(kind, keys)),
    };
    this.items = new KeptRows<MarketItem>(source, freshness);
  }

  /** The list as it is published. */
  async find(): Promise<MarketList> {
    const { rows, version } = await this.items.current();
    if (this.latest?.version !== version) this.latest = { list: new MarketList(rows), version };
    return this.latest.list;
  }

  private async *readAll(): AsyncGenerator<MarketItem[]> {
    for (const kind of itemKinds) {
      for (let afterKey = ''; ; ) {
        const records = await this.market.listMarketRecords(kind, afterKey, sliceRows);
        yield this.toItems(records);
        afterKey = records.at(-1)?.key ?? '';
        if (records.length < sliceRows) break;
      }
    }
  }

  private toItems(records: readonly MarketRecord[]): MarketItem[] {
    const day = dayOf(this.clock());
    return records.map((record) => toMarketItem(record, day));
  }
}
