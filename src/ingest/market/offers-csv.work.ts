/** Price lists of any shop, with the columns named in a mapping file. */

import { shortText } from '../../kernel/text.ts';
import { formatInstant } from '../../kernel/time.ts';
import { feedOffer } from '../feed/feed-market.ts';
import { openSources, type SourcePart } from '../readers/source-file.work.ts';
import { checkColumns, openTable, type TableRow } from '../readers/table.work.ts';
import { Fields, RowError, readOr } from '../runner/fields.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import { type LocatedRow, readLocated, rejectedRow } from '../runner/located-row.ts';
import { type LooseMoney, looseMoney } from '../runner/loose.ts';
import { BarcodeIndex } from './barcode-index.ts';
import { LocalTime } from './local-time.ts';
import {
  anyOther,
  type ColumnRole,
  leaveOut,
  type OffersMapping,
  readMapping,
} from './offers-mapping.work.ts';

export const offersCsv: Format = {
  settings: { mapping: 'required' },
  isReadFirst: true,
  async *read(paths, options) {
    const path = options.settings.mapping ?? '';
    const list = new PriceList(path, readMapping(path), options);
    for await (const part of openSources(paths, options)) yield* list.read(part);
  },
};

class PriceList {
  private readonly time: LocalTime;
  private barcodes: BarcodeIndex | null = null;

  constructor(
    private readonly mappingPath: string,
    private readonly mapping: OffersMapping,
    private readonly options: ReadOptions,
  ) {
    this.time = new LocalTime(mapping);
  }

  async *read(part: SourcePart): AsyncGenerator<LocatedRow[]> {
    const table = await openTable(part);
    const columns = Object.values(this.mapping.columns);
    checkColumns(table, columns, `the list that '${this.mappingPath}' describes`);
    if (this.mapping.columns.barcode) {
      this.barcodes ??= new BarcodeIndex(await this.options.store.market.listBarcodes());
    }
    for await (const rows of table.rows()) {
      const now = this.options.clock();
      yield rows.flatMap((row) => this.locatedRow(row, now) ?? []);
    }
  }

  /** Null if the shop is ignored. */
  private locatedRow(row: TableRow, now: number): LocatedRow | null {
    return readOr<LocatedRow | null>(
      () => {
        const record = this.readRow(row);
        if (record === null) return null;
        return readLocated(row.location, () => ({ row: feedOffer.read(new Fields(record, now)) }));
      },
      (reason) => rejectedRow(row.location, reason),
    );
  }

  /** A feed record; null if the shop is ignored. */
  private readRow(row: TableRow): Readonly<Record<string, unknown>> | null {
    if (row.mismatch !== null) throw new RowError(row.mismatch);
    const retailer = this.mapping.retailer ?? this.shopOf(row);
    if (retailer === leaveOut) return null;
    const inStock = this.wordIn(row, 'stock', this.mapping.stocks) ?? this.mapping.stock;
    const price = this.priceOf(row, inStock);
    const listPrice = this.moneyIn(row, 'list_price');
    const amount = (money: LooseMoney | null) => (money === null ? null : money.cents / 100);
    return {
      retailer,
      observed_at: formatInstant(this.instantOf(row)),
      set_number: this.setOf(row),
      seller_type: this.wordIn(row, 'seller', this.mapping.sellers) ?? this.mapping.seller,
      in_stock: inStock,
      asin: this.cell(row, 'asin'),
      product_url: this.cell(row, 'url'),
      currency: this.currencyOf(row, price),
      price: amount(price),
      list_price: amount(listPrice),
    };
  }

  private cell(row: TableRow, role: ColumnRole): string | null {
    const column = this.mapping.columns[role];
    return column === undefined ? null : row.text(column);
  }

  private shopOf(row: TableRow) {
    const shop = this.cell(row, 'shop');
    if (shop === null) throw new RowError(`'${this.mapping.columns.shop}' is empty: no shop`);
    const { shops } = this.mapping;
    const meaning = shops.get(shop.toLowerCase()) ?? shops.get(anyOther);
    if (meaning !== undefined) return meaning;
    throw new RowError(`the shop '${shortText(shop)}' is not among 'shops' in the mapping`);
  }

  /** The meaning of a word by the mapping; null if the cell is empty. */
  private wordIn<T>(row: TableRow, role: 'stock' | 'seller', words: ReadonlyMap<string, T>) {
    const word = this.cell(row, role);
    if (word === null) return null;
    const meaning = words.get(word.toLowerCase()) ?? words.get(anyOther);
    if (meaning !== undefined) return meaning;
    const known = [...words.keys()].slice(0, 8).join(', ');
    const column = this.mapping.columns[role];
    const key = role === 'stock' ? 'stock' : 'sellers';
    throw new RowError(
      `'${column}' must be one of ${known}, not '${shortText(word)}'; add it to '${key}'`,
    );
  }

  /** A price may only be missing if the item is out of stock. */
  private priceOf(row: TableRow, inStock: boolean | null): LooseMoney | null {
    const price = this.moneyIn(row, 'price');
    const column = this.mapping.columns.price;
    if (price === null && inStock !== false) throw new RowError(`'${column}' is empty: no price`);
    if (price !== null && this.mapping.junkCents.has(price.cents)) {
      const text = this.cell(row, 'price');
      throw new RowError(`'${column}' is ${text}, which the mapping lists as junk`);
    }
    return price;
  }

  private moneyIn(row: TableRow, role: 'price' | 'list_price'): LooseMoney | null {
    const text = this.cell(row, role);
    if (text === null) return null;
    const code = this.cell(row, 'currency') ?? this.mapping.currency;
    const money = looseMoney(withPoint(text, this.mapping.decimal), code);
    if (money !== null) return money;
    const column = this.mapping.columns[role];
    throw new RowError(`'${column}' must be an amount, not '${shortText(text)}'`);
  }

  private currencyOf(row: TableRow, price: LooseMoney | null): string {
    const code = this.cell(row, 'currency') ?? price?.currency ?? this.mapping.currency;
    if (/^[A-Za-z]{3}$/.test(code)) return code.toUpperCase();
    throw new RowError(`the currency '${shortText(code)}' must be a code such as EUR`);
  }

  private instantOf(row: TableRow): number {
    const day = this.cell(row, 'date') ?? this.mapping.date;
    const column = this.mapping.columns.date;
    if (day === null) throw new RowError(`'${column}' is empty: no date`);
    const clock = this.cell(row, 'time');
    const read = this.time.read(clock === null ? day : `${day} ${clock}`);
    if ('at' in read) return read.at;
    throw new RowError(`'${column ?? 'date'}' is '${shortText(day)}', which ${read.reason}`);
  }

  private setOf(row: TableRow): string {
    const number = this.cell(row, 'set');
    if (number !== null) return number;
    const code = this.cell(row, 'barcode');
    if (code === null) throw new RowError('the row names no set');
    const found = this.barcodes?.find(code) ?? null;
    if (found === null) throw new RowError(`no set has the barcode ${shortText(code)}`);
    if (found === 'shared') throw new RowError(`several sets have the barcode ${shortText(code)}`);
    return found.number;
  }
}

/** Normalizes the decimal separator of the mapping to a point. */
function withPoint(text: string, decimal: '.' | ',' | null): string {
  if (decimal === null) return text;
  const other = decimal === ',' ? '.' : ',';
  const bare = text.replace(/['’]/g, '');
  // The other separator must be a valid thousands separator.
  const [whole = ''] = bare.split(decimal, 1);
  const groups = whole.replace(/[^\d.,]/g, '').split(other);
  const isGrouped = groups.slice(1).every((group) => group.length === 3) && groups[0] !== '';
  if (groups.length > 1 && !isGrouped) return 'no amount';
  return bare.replaceAll(other, '').replace(',', '.');
}
