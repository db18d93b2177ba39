/** Converts a set from Brickset into a feed record. */
import { classOf } from '../../catalog/items/item-class.ts';
import { type FieldWarnings, RowError } from '../runner/fields.ts';
import { looseDay, looseMoney } from '../runner/loose.ts';
import {
  addressOf,
  boxOf,
  type FeedRecord,
  measureOf,
  tidyNumber,
  wholeOf,
} from './record.work.ts';

/** A set as Brickset describes it, as text; null or absent is unknown. */
export interface BricksetSet {
  /** Including the variant. */
  readonly number: string;
  readonly name: string | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  readonly year: string | null;
  readonly pieces: string | null;
  readonly minifigs: string | null;
  readonly minifigNumbers?: string | null;
  readonly imageUrl?: string | null;
  readonly priceUsd: string | null;
  readonly ean: string | null;
  readonly upc: string | null;
  /** Release and retirement, according to Brickset. */
  readonly launch: string | null;
  readonly exit: string | null;
  /** First and last availability at LEGO.com in the US. */
  readonly firstInShop?: string | null;
  readonly lastInShop?: string | null;
  readonly width: string | null;
  readonly height: string | null;
  readonly depth: string | null;
  readonly weight: string | null;
  readonly category?: string | null;
  readonly packaging?: string | null;
  readonly availability?: string | null;
}

/** Fields that cannot be read are left out with a warning. */
export function bricksetRecord(set: BricksetSet, optional: FieldWarnings['optional']): FeedRecord {
  const year = optional(() => wholeOf(set.year, 'year'));
  const dollars = optional(() => dollarsOf(set.priceUsd));
  // A set with a retail price is not promotional, regardless of its availability.
  const availability = dollars ? null : (set.availability ?? null);
  return {
    set_number: tidyNumber(set.number),
    title: set.name,
    theme: set.theme,
    subtheme: set.subtheme,
    year,
    pieces: optional(() => wholeOf(set.pieces, 'pieces')),
    minifigs: numbersOf(set.minifigNumbers),
    minifigs_count: optional(() => wholeOf(set.minifigs, 'minifigs')),
    image_url: addressOf(set.imageUrl ?? null),
    msrp_usd: dollars,
    ean: eanOf(set.ean),
    upc: upcOf(set.upc),
    release_date:
      optional(() => dayOf(set.launch, 'launch date')) ??
      optional(() => firstDay(set.firstInShop, year)),
    retire_date:
      optional(() => dayOf(set.exit, 'exit date')) ??
      optional(() => dayOf(set.lastInShop, 'dateLastAvailable')),
    is_on_sale: isOnSale(set),
    box: boxOf({
      widthCm: optional(() => measureOf(set.width, 'width')),
      heightCm: optional(() => measureOf(set.height, 'height')),
      depthCm: optional(() => measureOf(set.depth, 'depth')),
      weightKg: optional(() => measureOf(set.weight, 'weight')),
    }),
    item_class: classOf({ ...set, title: set.name, availability }),
  };
}

function numbersOf(text: string | null = null): string[] | null {
  const numbers = (text ?? '').split(',').map((number) => number.trim());
  const distinct = [...new Set(numbers.filter((number) => number !== ''))];
  return distinct.length > 0 ? distinct : null;
}

function dollarsOf(text: string | null): number | null {
  if (text === null) return null;
  const money = looseMoney(text);
  if (!money || (money.currency ?? 'USD') !== 'USD') {
    throw new RowError(`the US price must be an amount in US dollars, not '${text}'`);
  }
  return money.cents / 100;
}

/** Twelve digits are a UPC, which is an EAN without its leading 0. */
function eanOf(text: string | null): string | null {
  return text !== null && /^\d{12}$/.test(text) ? `0${text}` : text;
}

function upcOf(text: string | null): string | null {
  return text !== null && /^0\d{12}$/.test(text) ? text.slice(1) : text;
}

/** Brickset writes dates with the day first, or as instants. */
function dayOf(text: string | null | undefined, name: string): string | null {
  if (text == null) return null;
  const day = looseDay(text, 'day first');
  if (day === null) {
    throw new RowError(`'${name}' must be a date such as 31/12/2026 or 2026-12-31, not '${text}'`);
  }
  return day;
}

/** Available at LEGO.com since some date, without an end date. */
function isOnSale({ firstInShop, lastInShop, exit }: BricksetSet): boolean {
  return firstInShop != null && lastInShop == null && exit == null;
}

/** LEGO.com also lists sets released long before its records start, so late dates are ignored. */
function firstDay(text: string | null | undefined, year: number | null): string | null {
  const day = dayOf(text, 'dateFirstAvailable');
  if (day === null || year === null) return day;
  return Number(day.slice(0, 4)) > year + 1 ? null : day;
}
