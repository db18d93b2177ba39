/** The identifying fields of a Keepa product, and checks that it can be a set. */

import type { JsonObject } from '../../kernel/json.ts';
import { shortText } from '../../kernel/text.ts';
import { RowError } from '../runner/fields.ts';
import { shortJson } from '../runner/located-row.ts';

export interface KeepaProduct {
  readonly asin: string;
  readonly title: string;
  readonly brand: string | null;
  readonly isLego: boolean;
  readonly barcodes: readonly string[];
  /** Possible set numbers from model and part number. */
  readonly models: readonly string[];
}

/** The only marketplace with prices in US dollars. */
const domainRead = 1;

const domainNames: Readonly<Record<number, string>> = {
  2: 'amazon.co.uk',
  3: 'amazon.de',
  4: 'amazon.fr',
  5: 'amazon.co.jp',
  6: 'amazon.ca',
  8: 'amazon.it',
  9: 'amazon.es',
  10: 'amazon.in',
  11: 'amazon.com.mx',
  12: 'amazon.com.br',
};

/** Product types that cannot be sets; 0 is a product, 3 one with hidden prices. */
const typesRefused: Readonly<Record<number, string>> = {
  1: 'a download',
  2: 'an e-book',
  4: 'invalid: Keepa does not know the product',
  5: 'the parent of variations, which is not sold itself',
};

const barcodesMax = 50;

/** Throws a `RowError` if it cannot be a set. */
export function readProduct(record: JsonObject): KeepaProduct {
  const asin = text(record.asin);
  if (asin === null) throw new RowError("it has no 'asin', so it is not a Keepa product");
  if (!/^[A-Z0-9]{10}$/.test(asin)) throw new RowError(`'asin' ${shortText(asin)} is not an ASIN`);
  checkKind(record);
  const brand = plainText(record.brand) ?? plainText(record.manufacturer);
  return {
    asin,
    title: plainText(record.title) ?? '',
    brand: brand && shortText(brand),
    isLego: /^lego\b/i.test(brand ?? ''),
    barcodes: [...new Set(listTexts(record.upcList, record.eanList, record.gtinList))],
    models: listTexts([record.model, record.partNumber]).filter((model) =>
      /^\d{4,7}(-\d{1,2})?$/.test(model),
    ),
  };
}

function checkKind({ productType, domainId, packageQuantity }: JsonObject): void {
  const type = typesRefused[Number(productType ?? 0)];
  if (type !== undefined) throw new RowError(`productType ${productType} is ${type}`);
  if (domainId !== domainRead) {
    const name = domainNames[Number(domainId)] ?? 'unknown';
    const what = domainId == null ? "'domainId' is missing" : `domainId ${domainId} is ${name}`;
    throw new RowError(`${what}; only ${domainRead} (amazon.com) can be imported`);
  }
  if (Number(packageQuantity) > 1) {
    throw new RowError(`it is a pack of ${packageQuantity}, not one set ('packageQuantity')`);
  }
}

/** Nonblank texts and numbers of all lists. */
function listTexts(...lists: readonly unknown[]): string[] {
  return lists
    .flatMap((list) => (Array.isArray(list) ? list.slice(0, barcodesMax) : []))
    .flatMap((member) => text(typeof member === 'number' ? String(member) : member) ?? []);
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Without HTML; an entity such as `&#8217;` must not look like a set number. */
function plainText(value: unknown): string | null {
  const bare = text(value)
    ?.replace(/<[^<>]*>/g, ' ')
    .replace(/&(#x?[\da-f]+|[a-z]\w*);/gi, ' ');
  return text(bare);
}

/** The identifying fields for the report, since products are very long. */
export function productText(record: JsonObject): string {
  const names = ['asin', 'domainId', 'productType', 'title', 'brand', 'manufacturer', 'model'];
  const more = ['partNumber', 'upcList', 'eanList', 'gtinList', 'packageQuantity', 'lastUpdate'];
  const shown = [...names, ...more].flatMap((name) =>
    record[name] == null ? [] : [[name, record[name]] as const],
  );
  return shortJson(Object.fromEntries(shown));
}
