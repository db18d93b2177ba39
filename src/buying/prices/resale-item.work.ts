/** An item from a buyer's point of view, based on published data. */

import { type Box, unknownBox } from '../../catalog/items/catalog.ts';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import type { RetailRow } from '../../contract/retail.ts';
import type { SetRecord } from '../../contract/set.ts';
import { toCentsOrNull } from '../../kernel/money.ts';
import type { ConditionEvidence } from '../../market/evidence/evidence.ts';
import type { Parcel } from '../../market/fees/postage.ts';
import type { GradeShare } from '../../market/grades/grades.ts';
import type { ListingReading } from '../../market/published/listing.store.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { ItemParts } from '../../market/values/parts.ts';
import type { ValueRange } from '../boxes/box-worth.ts';
import { type BestOffer, bestOffer } from '../deals/best-offer.ts';
import { amazonAsk, gradedResale, type Resale, resaleOf } from './resale.ts';

export interface ResaleItem {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  readonly title: string;
  /** Null for minifigs. */
  readonly theme: string | null;
  /** List price; null if unknown, and for minifigs. */
  readonly msrpCents: number | null;
  /** The parcel for shipping one unit. */
  readonly parcel: Readonly<Record<Condition, Parcel>>;
  /** Null: no value in this condition. */
  readonly resale: Readonly<Record<Condition, Resale | null>>;
  /** The 80% range of sale prices; null: no value in this condition. */
  readonly range: Readonly<Record<Condition, ValueRange | null>>;
  /** Null: not available at any retailer. */
  readonly offer: BestOffer | null;
  /** The numbers of the minifigs in a set, once each. */
  readonly minifigs: readonly string[];
  /** How many minifigs are in it; 0 if unknown. */
  readonly minifigsCount: number;
  /** Estimated revenue from the parts of a set; null if no source shows a value. */
  readonly parts: ItemParts;
}

/** Items by key; keys that do not exist are omitted. */
export async function findResaleItems(
  market: Pick<ListingReading, 'findResaleRecords'>,
  kind: ItemKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ResaleItem>> {
  const records = await market.findResaleRecords(kind, keys);
  return new Map([...records].map(([key, record]) => [key, toItem(kind, record)]));
}

/** Null: does not exist. */
export async function findResaleItem(
  market: Pick<ListingReading, 'findResaleRecords'>,
  kind: ItemKind,
  number: string,
): Promise<ResaleItem | null> {
  const key = itemKey(kind, number);
  return (await findResaleItems(market, kind, [key])).get(key) ?? null;
}

export function toItem(kind: ItemKind, record: ResaleRecord): ResaleItem {
  const { key, number, evidence } = record;
  const described = kind === 'set' ? describeSet(record) : describeMinifig(record);
  const retail: RetailRow | null = record.retail === null ? null : JSON.parse(record.retail);
  const amazon = retail === null ? notAtAmazon : atAmazon(retail);
  const of = (condition: Condition) =>
    evidence && resaleOf(evidence, condition, { parcel: described.parcel[condition], ...amazon });
  return {
    kind,
    key,
    number,
    ...described,
    resale: { sealed: of('sealed'), used: of('used') },
    range: { sealed: rangeOf(evidence?.sealed ?? null), used: rangeOf(evidence?.used ?? null) },
    offer: retail && bestOffer(retail),
    // One that is sold as its only minifig is not taken apart.
    minifigs: evidence?.sharedWith ? [] : described.minifigs,
    parts: (kind === 'set' && evidence?.parts) || noParts,
  };
}

const noParts: ItemParts = { sealed: null, used: null };

/** An item whose units in one condition have a grade. */
export function gradedItem(item: ResaleItem, condition: Condition, grade: GradeShare): ResaleItem {
  const [resale, range] = [item.resale[condition], item.range[condition]];
  const scaled = (cents: number) => Math.round(cents * grade.share);
  return {
    ...item,
    resale: { ...item.resale, [condition]: resale && gradedResale(resale, grade) },
    range: {
      ...item.range,
      [condition]: range && {
        lowCents: scaled(range.lowCents),
        highCents: scaled(range.highCents),
      },
    },
  };
}

function rangeOf(valued: ConditionEvidence | null): ValueRange | null {
  return valued && { lowCents: valued.lowCents, highCents: valued.highCents };
}

/** The facts that determine the parcel. */
type Described = Pick<
  ResaleItem,
  'title' | 'theme' | 'msrpCents' | 'parcel' | 'minifigs' | 'minifigsCount'
>;

function describeSet({ body }: ResaleRecord): Described {
  const { title, theme, pieces, box, minifigs, ...set }: SetRecord = JSON.parse(body);
  const known: Box = {
    widthIn: box.width_in,
    heightIn: box.height_in,
    depthIn: box.depth_in,
    weightLbs: box.weight_lbs,
  };
  return {
    title,
    theme,
    msrpCents: toCentsOrNull(set.msrp_usd),
    minifigs,
    minifigsCount: set.minifigs_count,
    // A set that is not sealed may have no box.
    parcel: { sealed: { box: known, pieces }, used: { box: unknownBox, pieces } },
  };
}

function describeMinifig({ body }: ResaleRecord): Described {
  const { name }: MinifigRecord = JSON.parse(body);
  const parcel = { box: unknownBox, pieces: null };
  return {
    title: name,
    theme: null,
    msrpCents: null,
    parcel: { sealed: parcel, used: parcel },
    minifigs: [],
    minifigsCount: 0,
  };
}

type AtAmazon = Pick<Resale, 'fbaSellers' | 'amazonAskCents'>;

const notAtAmazon: AtAmazon = { fbaSellers: null, amazonAskCents: null };

function atAmazon({ retailer_a: shown, retailer_aExit: exit }: RetailRow): AtAmazon {
  const { price, sellerType, inStock } = shown;
  const priceCents = toCentsOrNull(price);
  const amazonAskCents = amazonAsk({ priceCents, sellerType, inStock });
  return { fbaSellers: exit.fbaSellers, amazonAskCents };
}
