/** Keepa's answers: the history of a product's offers on amazon.com, which is retailer A. */
import { formatInstant } from '../../domain/kernel/time.ts';
import { feedOffer } from '../feed/feed-market.ts';
import { Fields, RowFault } from '../fields.ts';
import type { Format, ReadOptions } from '../format.ts';
import { jsonPlace, placed, refused } from '../placed.ts';
import type { PlacedRow } from '../source-row.ts';
import { type AnswerForm, type AnswerRecord, type PlacedAnswer, readAnswers } from './answers.ts';
import { BarcodeIndex } from './barcode-index.ts';
import { descriptionRow } from './keepa-facts.ts';
import { type Look, listLooks } from './keepa-looks.ts';
import { matchSet, type SetFinder } from './keepa-match.ts';
import { productText, readProduct } from './keepa-product.ts';

/** Product objects: an answer, a list of them, or one; files and folders. */
export const keepa: Format = {
  takes: [],
  needs: [],
  isReadFirst: true,
  async *read(paths, options) {
    const reader = new Reader(options);
    for await (const answer of readAnswers(paths, options, answers)) yield reader.rowsOf(answer);
  },
};

const errorLengthMax = 200;

const answers: AnswerForm = {
  listName: 'products',
  membersOf: ({ products }) => (Array.isArray(products) ? products : null),
  /** An answer without products tells what went wrong, or how many tokens are left. */
  faultOf: ({ asin, products, error, tokensLeft }) => {
    const members = Array.isArray(products) ? products.length : null;
    if (asin !== undefined || members) return null;
    if (error) return `Keepa answered with an error: ${errorText(error)}`;
    if (members === 0) return null;
    if (tokensLeft === undefined) return "it has no 'asin', so it is no Keepa product";
    return `this is Keepa's token status (${tokensLeft} left), without products`;
  },
};

function errorText(error: unknown): string {
  const { type, message } = error as AnswerRecord;
  const text = typeof error === 'string' ? error : String(message ?? type ?? 'no reason given');
  return text.slice(0, errorLengthMax).replace(/\.+$/, '');
}

type AnsweredRecord = Exclude<PlacedAnswer, { readonly reason: string }>;

class Reader {
  private finder: SetFinder | null = null;
  /** The product that gave a set its offers in this import; at most one entry per set. */
  private readonly asins = new Map<string, string>();

  constructor(private readonly options: ReadOptions) {}

  /** What is told of the set and a row for every look, or one with the reason why there is none. */
  async rowsOf(answer: PlacedAnswer): Promise<PlacedRow[]> {
    const { where } = answer;
    if ('reason' in answer) return [refused({ where, text: '' }, answer.reason)];
    const { record } = answer;
    try {
      const product = readProduct(record);
      const number = await matchSet(product, await this.findSets());
      const looks = listLooks(record);
      this.claim(number, product.asin);
      const offers = looks.map((look) => offerRecord(look, number, product.asin));
      return [
        ...this.described(answer, number),
        ...offers.map((offer) => this.offerRow(where, offer)),
      ];
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      return [refused({ where, text: productText(record) }, error.message)];
    }
  }

  /** Two products with one set would make one history of two: the first one has it. */
  private claim(number: string, asin: string): void {
    const holder = this.asins.get(number) ?? asin;
    if (holder !== asin) {
      throw new RowFault(`it matches set ${number}, as ${holder} does before it in this import`);
    }
    this.asins.set(number, asin);
  }

  /** Barcodes are loaded once for all products. */
  private async findSets(): Promise<SetFinder> {
    const { market } = this.options.store;
    this.finder ??= {
      barcodes: new BarcodeIndex(await market.listBarcodes()),
      findKnownSets: (keys) => market.findKnownSets(keys),
    };
    return this.finder;
  }

  /** What the product tells of its set besides offers, as a row of the catalog. */
  private described({ where, record }: AnsweredRecord, number: string): PlacedRow[] {
    const place = { where, text: productText(record) };
    try {
      const row = descriptionRow(number, record, this.options.clock());
      return row === null ? [] : [placed(place, () => ({ row }))];
    } catch (error) {
      if (error instanceof RowFault) return [refused(place, error.message)];
      throw error;
    }
  }

  /** The rules of the feed hold here as well. */
  private offerRow(where: string, record: AnswerRecord): PlacedRow {
    return placed(jsonPlace(where, record), () => ({
      row: feedOffer.read(new Fields(record, this.options.clock())),
    }));
  }
}

function offerRecord(look: Look, number: string, asin: string): AnswerRecord {
  return {
    retailer: 'retailer_a',
    set_number: number,
    observed_at: formatInstant(look.observedAt),
    price: dollars(look.priceCents),
    list_price: dollars(look.listPriceCents),
    seller_type: look.sellerType,
    in_stock: look.inStock,
    asin,
    product_url: `https://www.amazon.com/dp/${asin}`,
    lowest_fba: dollars(look.lowestFbaCents),
    fba_sellers: look.fbaSellers,
    buy_box: dollars(look.buyBoxCents),
  };
}

function dollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}
