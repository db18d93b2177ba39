/** An item as whoever wants to buy it sees it, read from what is published. */
import type { MinifigRecord } from '../contract/minifig.ts';
import type { RetailRow } from '../contract/retail.ts';
import type { SetRecord } from '../contract/set.ts';
import type { ValueRange } from '../domain/buying/box-worth.ts';
import { amazonAsk, type Resale, resaleOf } from '../domain/buying/resale.ts';
import type { Box } from '../domain/catalog/catalog.ts';
import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import type { Parcel } from '../domain/fees/postage.ts';
import { toCentsOrNull } from '../domain/kernel/money.ts';
import type { ConditionEvidence } from '../domain/market/evidence.ts';
import type { MarketReading, ResaleRecord } from '../domain/market/market-reading.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import { type BestOffer, bestOffer } from './best-offer.ts';

/** An item that can be bought and sold again. */
export interface ResaleItem {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  readonly title: string;
  /** Null for minifigs. */
  readonly theme: string | null;
  /** What it cost in shops; null when unknown, and for minifigs. */
  readonly msrpCents: number | null;
  /** What is sent when one unit is sold. */
  readonly parcel: Readonly<Record<Condition, Parcel>>;
  /** What is known of selling one unit; null where it has no value in the condition. */
  readonly resale: Readonly<Record<Condition, Resale | null>>;
  /** What four out of five sales of a unit lie in; null where it has no value in the condition. */
  readonly range: Readonly<Record<Condition, ValueRange | null>>;
  /** What it costs at the retailers; null when none has it. */
  readonly offer: BestOffer | null;
}

/** The items of keys; missing ones are left out. */
export async function findResaleItems(
  market: Pick<MarketReading, 'findResaleRecords'>,
  kind: ItemKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ResaleItem>> {
  const records = await market.findResaleRecords(kind, keys);
  return new Map([...records].map(([asked, record]) => [asked, toItem(kind, record)]));
}

/** The item with a number; null when there is none. */
export async function findResaleItem(
  market: Pick<MarketReading, 'findResaleRecords'>,
  kind: ItemKind,
  number: string,
): Promise<ResaleItem | null> {
  const key = itemKey(kind, number);
  return (await findResaleItems(market, kind, [key])).get(key) ?? null;
}

/** An item from all that is published of it. */
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
    title: described.title,
    theme: described.theme,
    msrpCents: described.msrpCents,
    parcel: described.parcel,
    // The value of a minifig is that of a used one.
    resale: { sealed: kind === 'set' ? of('sealed') : null, used: of('used') },
    range: { sealed: rangeOf(evidence?.sealed ?? null), used: rangeOf(evidence?.used ?? null) },
    offer: retail && bestOffer(retail),
  };
}

function rangeOf(valued: ConditionEvidence | null): ValueRange | null {
  return valued && { lowCents: valued.lowCents, highCents: valued.highCents };
}

/** What a record says of an item that is to be sent. */
interface Described {
  readonly title: string;
  readonly theme: string | null;
  readonly msrpCents: number | null;
  readonly parcel: Readonly<Record<Condition, Parcel>>;
}

/** Of what is not sealed, the box may be gone. */
const unknownBox: Box = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

function describeSet({ body }: ResaleRecord): Described {
  const { title, theme, pieces, box, msrp_usd: msrp }: SetRecord = JSON.parse(body);
  const known: Box = {
    widthIn: box.width_in,
    heightIn: box.height_in,
    depthIn: box.depth_in,
    weightLbs: box.weight_lbs,
  };
  return {
    title,
    theme,
    msrpCents: toCentsOrNull(msrp),
    parcel: { sealed: { box: known, pieces }, used: { box: unknownBox, pieces } },
  };
}

function describeMinifig({ body }: ResaleRecord): Described {
  const { name }: MinifigRecord = JSON.parse(body);
  const parcel = { box: unknownBox, pieces: null };
  return { title: name, theme: null, msrpCents: null, parcel: { sealed: parcel, used: parcel } };
}

/** What is known of an item at Amazon. */
type AtAmazon = Pick<Resale, 'fbaSellers' | 'amazonAskCents'>;

const notAtAmazon: AtAmazon = { fbaSellers: null, amazonAskCents: null };

function atAmazon({ retailer_a: asked, retailer_aExit: exit }: RetailRow): AtAmazon {
  const { price, sellerType, inStock } = asked;
  const priceCents = toCentsOrNull(price);
  const amazonAskCents = amazonAsk({ priceCents, sellerType, inStock });
  return { fbaSellers: exit.fbaSellers, amazonAskCents };
}
