/** The market list in memory, updated with every publication. */

import { type ItemKind, itemKinds, refText } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import { type MarketItem, toMarketItem } from '../../market/lists/market-item.ts';
import { MarketList } from '../../market/lists/market-list.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { Freshness } from './freshness.ts';
import { RowCache } from './row-cache.ts';

/** Items per read. */
const sliceRows = 500;

export class MarketIndex {
  private readonly items: RowCache<MarketItem>;
  private latest: { readonly list: MarketList; readonly version: number } | null = null;

  constructor(
    private readonly market: Pick<MarketReading, 'listMarketRecords' | 'findMarketRecords'>,
    freshness: Pick<Freshness, 'follow' | 'refresh'>,
  ) {
    const source = {
      kinds: itemKinds,
      nameOf: refText,
      namesOf: (kind: ItemKind, key: string) => [refText({ kind, key })],
      readAll: () => this.readAll(),
      readSome: async (kind: ItemKind, keys: readonly string[]) =>
        (await market.findMarketRecords(kind, keys)).map(toMarketItem),
    };
    this.items = new RowCache<MarketItem>(source, freshness);
  }

  async find(): Promise<MarketList> {
    const { rows, version } = await this.items.current();
    if (this.latest?.version !== version) this.latest = { list: new MarketList(rows), version };
    return this.latest.list;
  }

  private async *readAll(): AsyncGenerator<MarketItem[]> {
    for (const kind of itemKinds) {
      for (let afterKey = ''; ; ) {
        const records = await this.market.listMarketRecords(kind, afterKey, sliceRows);
        yield records.map(toMarketItem);
        if (records.length < sliceRows) break;
        afterKey = at(records, sliceRows - 1).key;
      }
    }
  }
}
