/** Keepa's offer histories of products on amazon.com, which is retailer A. */

import type { JsonObject } from '../../kernel/json.ts';
import { toUsdOrNull } from '../../kernel/money.ts';
import { formatInstant } from '../../kernel/time.ts';
import { feedOffer } from '../feed/feed-market.ts';
import { Fields, RowError, readOr } from '../runner/fields.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import { jsonLocation, type LocatedRow, readLocated, rejectedRow } from '../runner/located-row.ts';
import { type LocatedRecord, type ResponseFormat, readResponses } from './api-responses.work.ts';
import { BarcodeIndex } from './barcode-index.ts';
import { descriptionRow } from './keepa-facts.work.ts';
import { matchSet, type SetFinder } from './keepa-match.ts';
import { listObservations, type Observation } from './keepa-observations.ts';
import { productText, readProduct } from './keepa-product.ts';

export const keepa: Format = {
  isReadFirst: true,
  async *read(paths, options) {
    const reader = new Reader(options);
    for await (const record of readResponses(paths, options, responses))
      yield reader.rowsOf(record);
  },
};

const errorLengthMax = 200;

const responses: ResponseFormat = {
  listName: 'products',
  membersOf: ({ products }) => (Array.isArray(products) ? products : null),
  /** A response without products has an error, or only the token status. */
  problemOf: ({ asin, products, error, tokensLeft }) => {
    const members = Array.isArray(products) ? products.length : null;
    if (asin !== undefined || members) return null;
    if (error) return `Keepa answered with an error: ${errorText(error)}`;
    if (members === 0) return null;
    if (tokensLeft === undefined) return "it has no 'asin', so it is not a Keepa product";
    return `this is Keepa's token status (${tokensLeft} left), without products`;
  },
};

function errorText(error: unknown): string {
  const { type, message } = error as JsonObject;
  const text = typeof error === 'string' ? error : String(message ?? type ?? 'no reason given');
  return text.slice(0, errorLengthMax).replace(/\.+$/, '');
}

type GoodRecord = Exclude<LocatedRecord, { readonly reason: string }>;

class Reader {
  private finder: SetFinder | null = null;
  /** The product that provides the offers of a set in this import. */
  private readonly asins = new Map<string, string>();

  constructor(private readonly options: ReadOptions) {}

  /** A catalog row and a row for every observation, or one reject. */
  async rowsOf(answer: LocatedRecord): Promise<LocatedRow[]> {
    const { where } = answer;
    if ('reason' in answer) return [rejectedRow({ where, text: '' }, answer.reason)];
    const { record } = answer;
    try {
      const product = readProduct(record);
      const number = await matchSet(product, await this.findSets());
      const observations = listObservations(record);
      this.claim(number, product.asin);
      const offers = observations.map((observation) =>
        offerRecord(observation, number, product.asin),
      );
      return [
        ...this.described(answer, number),
        ...offers.map((offer) => this.offerRow(where, offer)),
      ];
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      return [rejectedRow({ where, text: productText(record) }, error.message)];
    }
  }

  /** Two products of one set would mix two histories, so the first one wins. */
  private claim(number: string, asin: string): void {
    const holder = this.asins.get(number) ?? asin;
    if (holder !== asin) {
      throw new RowError(`it matches set ${number}, like ${holder} earlier in this import`);
    }
    this.asins.set(number, asin);
  }

  private async findSets(): Promise<SetFinder> {
    const { market } = this.options.store;
    this.finder ??= {
      barcodes: new BarcodeIndex(await market.listBarcodes()),
      findKnownSets: (keys) => market.findKnownSets(keys),
    };
    return this.finder;
  }

  /** The catalog facts of the product. */
  private described({ where, record }: GoodRecord, number: string): LocatedRow[] {
    const location = { where, text: productText(record) };
    return readOr(
      () => {
        const row = descriptionRow(number, record, this.options.clock());
        return row === null ? [] : [readLocated(location, () => row)];
      },
      (reason) => [rejectedRow(location, reason)],
    );
  }

  private offerRow(where: string, record: JsonObject): LocatedRow {
    return readLocated(jsonLocation(where, record), () => ({
      row: feedOffer.read(new Fields(record, this.options.clock())),
    }));
  }
}

function offerRecord(observation: Observation, number: string, asin: string): JsonObject {
  return {
    retailer: 'retailer_a',
    set_number: number,
    observed_at: formatInstant(observation.observedAt),
    price: toUsdOrNull(observation.priceCents),
    list_price: toUsdOrNull(observation.listPriceCents),
    seller_type: observation.sellerType,
    in_stock: observation.inStock,
    asin,
    product_url: `https://www.amazon.com/dp/${asin}`,
    lowest_fba: toUsdOrNull(observation.lowestFbaCents),
    fba_sellers: observation.fbaSellers,
    buy_box: toUsdOrNull(observation.buyBoxCents),
  };
}
