/** Orders of marketplaces' API responses; items may be inside the order or in another file. */
import { basename } from 'node:path';
import { countText } from '../../kernel/format.ts';
import { asObject, isObject, textOf } from '../../kernel/json.ts';
import type { JsonRecord } from '../readers/json-records.work.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import { bricklinkError } from '../runner/bricklink-answer.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import type { Rejection } from '../runner/located-row.ts';
import { brickOwlApi } from './brick-owl.work.ts';
import { brickLinkApi } from './bricklink-json.work.ts';
import type { ApiRecord, Order, OrderApi } from './order.ts';

/** Orders and items held for matching. */
const waitingMax = 100_000;

export class OrderAnswers {
  private readonly markets: readonly MarketAnswers[];

  constructor(corrector?: Corrector) {
    const apis = [brickLinkApi(corrector), brickOwlApi(corrector)];
    this.markets = apis.map((api) => new MarketAnswers(api));
  }

  /** Returns complete orders; others are held until the end of the import. */
  take(records: readonly JsonRecord[]): Order[] {
    const orders = records.flatMap(objectsIn).flatMap((record) => this.takeOne(record));
    if (this.markets.reduce((sum, { waiting }) => sum + waiting, 0) > waitingMax) {
      throw new SourceFileError(
        `More than ${countText(waitingMax)} orders and items are in separate files; split them.`,
      );
    }
    return orders;
  }

  /** The held orders with their items, and items without an order. */
  end(): { readonly orders: Order[]; readonly strays: Rejection[] } {
    const ends = this.markets.map((market) => market.end());
    return {
      orders: ends.flatMap(({ orders }) => orders),
      strays: ends.flatMap(({ strays }) => strays),
    };
  }

  private takeOne(record: ApiRecord): Order[] {
    for (const market of this.markets) {
      const orders = market.take(record);
      if (orders) return orders;
    }
    const problem = bricklinkError(record.value) ?? unknownRecord;
    throw new SourceFileError(`${record.where}: ${problem}.`);
  }
}

const unknownRecord =
  'the record is not an order; import JSON from Brickmark, BrickLink or Brick Owl';

interface BareOrder {
  readonly record: ApiRecord;
  readonly items: ApiRecord[];
}

class MarketAnswers {
  private readonly bare = new Map<string, BareOrder>();
  private readonly loose: ApiRecord[] = [];

  constructor(private readonly api: OrderApi) {}

  get waiting(): number {
    return this.bare.size + this.loose.length;
  }

  /** Null if the record is not from this marketplace. */
  take(record: ApiRecord): Order[] | null {
    const { api } = this;
    if (api.isItem(record.value)) {
      this.loose.push(record);
      return [];
    }
    if (!api.isOrder(record.value)) return null;
    const items = objectsIn({ where: record.where, value: api.itemsOf(record.value) });
    if (items.length > 0) return [api.read(record, items)];
    this.bare.set(textOf(record.value.order_id) ?? '', { record, items: [] });
    return [];
  }

  end(): { readonly orders: Order[]; readonly strays: Rejection[] } {
    const { api } = this;
    const only = this.findOnly();
    const strays: Rejection[] = [];
    for (const item of this.loose) {
      const found = this.findOrder(item) ?? only;
      if (typeof found !== 'string') found.items.push(item);
      else strays.push(strayItem(item, found));
    }
    const orders = [...this.bare.values()].map(({ record, items }) => api.read(record, items));
    return { orders, strays };
  }

  /** By the order ID of the item or its file name; null if there is neither. */
  private findOrder({ where, value }: ApiRecord): BareOrder | string | null {
    const id = textOf(value.order_id);
    if (id !== null) return this.bare.get(id) ?? `order '${id}' is not among the files`;
    const fileName = basename(where).replace(/#[\d.]+$/, '');
    const numbers: readonly string[] = fileName.match(/\d+/g) ?? [];
    const named = numbers.find((number) => this.bare.has(number));
    return this.bare.get(named ?? '') ?? null;
  }

  /** The only order, if items do not say which one they belong to; or an error. */
  private findOnly(): BareOrder | string {
    const [only, ...others] = this.bare.values();
    if (!only) return 'its order is not among the files';
    if (others.length > 0) return 'neither it nor the file name says which order it belongs to';
    const units = this.loose.reduce((sum, { value }) => sum + this.api.quantityOf(value), 0);
    const total = this.api.totalOf(only.record.value) ?? units;
    return units === total ? only : `the order has ${total} units, and the items ${units}`;
  }
}

function strayItem({ where, value }: ApiRecord, problem: string): Rejection {
  const reason = `${problem}; import an order together with its items`;
  return { where, text: JSON.stringify(value), reason };
}

/**
 * Flattens lists and BrickLink's envelope. The second item of a list is at `FILE#1.2`, an only one
 * at `FILE#1`: locations are unique, because corrections are stored by them.
 */
function objectsIn({ where, value }: JsonRecord): ApiRecord[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((each, index) =>
      objectsIn({ where: value.length > 1 ? `${where}.${index + 1}` : where, value: each }),
    );
  }
  if (!isObject(value)) return [{ where, value: {} }];
  const isEnvelope = asObject(value.meta) !== null && bricklinkError(value) === null;
  return isEnvelope ? objectsIn({ where, value: value.data }) : [{ where, value }];
}
