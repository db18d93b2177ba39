/** Adds, changes and returns purchases of several items: one receipt with several lots. */

import type { BoughtBox } from '../../buying/boxes/saved-box.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import { countText, nounText } from '../../kernel/format.ts';
import { lotDetails } from '../lots/lot-fields.ts';
import { type GivenLot, type LotFacts, lotDefaults, lotFacts, type OwnLot } from '../lots/lots.ts';
import {
  type ActionResult,
  applyAll,
  changedLot,
  factsAfter,
  newCollection,
  newLot,
  type OwnerAction,
  pageSourceId,
  type TargetCollection,
} from '../lots/own-lots.work.ts';
import type { AccountRowOf } from '../lots/private-rows.ts';
import { type Purchase, type PurchaseFacts, purchaseLotIds, rowOfLot } from './purchases.ts';

/** A lot of a purchase, with the name of its row on the receipt. */
export type BoughtLot = Pick<
  GivenLot,
  'kind' | 'number' | 'condition' | 'quantity' | 'priceCents' | 'grade'
> & { readonly row: string };

export type PurchaseTerms = Omit<PurchaseFacts, 'sourceId' | 'returns'>;

interface BoughtLots {
  readonly terms: PurchaseTerms;
  readonly lots: readonly BoughtLot[];
}

/**
 * Adds a purchase with its lots to a collection, which is created if needed. A box is bought once:
 * it must be as its owner saw it.
 */
export function addPurchase(
  action: OwnerAction,
  { terms, lots, box }: BoughtLots & { readonly box?: BoughtBox },
  brickfolio: TargetCollection,
): Promise<ActionResult> {
  const sourceId = pageSourceId(action.formId);
  const ids = purchaseLotIds(sourceId, lots);
  const rows = lots.map(({ row: _, ...lot }, index) =>
    newLot({
      ...lotDefaults,
      ...lot,
      sourceId: at(ids, index),
      brickfolio: brickfolio.name,
      purchaseDate: terms.purchaseDate,
      boughtAt: terms.store,
    }),
  );
  const facts = { ...terms, sourceId, returns: [] };
  const purchase = { kind: 'purchase', facts, seen: null, ...(box && { box }) } as const;
  return applyAll(action, { rows: [...newCollection(brickfolio), ...rows, purchase] });
}

/**
 * Whether the lots of a purchase are not as its receipt would make them: split, deleted or priced
 * on their own. Splitting the costs again would undo that.
 */
export function differsFromReceipt(purchase: Purchase, lots: readonly OwnLot[]): boolean {
  const { totalCents, taxCents, shippingCents, prices } = purchase;
  const groups = [...Map.groupBy(lots, rowOfLot)].map(([row, same]) => ({
    same,
    costCents: costOf(same),
    pricedCents: prices[row] === undefined ? null : unitsOf(same) * prices[row],
  }));
  const known = new Set(lots.map(rowOfLot));
  if (costOf(lots) !== totalCents || Object.keys(prices).some((row) => !known.has(row))) {
    return true;
  }
  const pricedCents = groups.reduce((sum, group) => sum + (group.pricedCents ?? 0), 0);
  const isAllPriced = groups.every((group) => group.pricedCents !== null);
  const itemsCents = isAllPriced ? pricedCents : totalCents - taxCents - shippingCents;
  return groups.some((group) => {
    if (!isOneRow(group.same)) return true;
    if (group.pricedCents === null || itemsCents <= 0) return false;
    // Shares are rounded to the cent.
    return Math.abs(group.costCents - (totalCents * group.pricedCents) / itemsCents) > 1;
  });
}

/** A row makes one lot, or two that differ by a cent. */
function isOneRow([one, two, ...others]: readonly OwnLot[]): boolean {
  if (!one || !two) return true;
  const isAlike = isSameItem(one, two) && one.condition === two.condition;
  const isCent = Math.abs(one.priceCents - two.priceCents) === 1;
  return others.length === 0 && isAlike && one.grade === two.grade && isCent;
}

function isSameItem(one: Numbered, two: Numbered): boolean {
  return one.kind === two.kind && keyOf(one) === keyOf(two);
}

type Numbered = Pick<BoughtLot, 'kind' | 'number'>;

const keyOf = ({ kind, number }: Numbered) => itemKey(kind, number);

function unitsOf(lots: readonly OwnLot[]): number {
  return lots.reduce((sum, lot) => sum + lot.quantity, 0);
}

export function costOf(lots: readonly OwnLot[]): number {
  return lots.reduce((sum, lot) => sum + lot.quantity * lot.priceCents, 0);
}

type StoreAndDate = Pick<PurchaseTerms, 'store' | 'purchaseDate'>;

/** A lot with the store and date of a receipt, unless it has its own. */
function withReceipt(lot: OwnLot, old: StoreAndDate, { store, purchaseDate }: StoreAndDate) {
  return {
    ...lotFacts(lot),
    ...(lot.boughtAt === old.store && { boughtAt: store }),
    ...(lot.purchaseDate === old.purchaseDate && { purchaseDate }),
  };
}

/** A purchase and its lots, which may be sold out, as their owner saw them. */
export interface Bought {
  readonly purchase: Purchase;
  readonly lots: readonly OwnLot[];
}

/** Changes the store and the date of a purchase and of its lots, and nothing else. */
export function changeStoreAndDate(
  action: OwnerAction,
  { purchase, lots }: Bought,
  { store, purchaseDate }: StoreAndDate,
): Promise<ActionResult> {
  const now = { store, purchaseDate };
  const rows = lots.map((lot) => changedLot(withReceipt(lot, purchase, now), lot));
  return applyAll(action, { rows: [...rows, changedPurchase(purchase, now)] });
}

/** Changes a lot of a purchase, and by as much the total of its receipt. */
export function changeBoughtLot(
  action: OwnerAction,
  { purchase, lots }: Bought,
  { lot, change }: { readonly lot: OwnLot; readonly change: Partial<LotFacts> },
): Promise<ActionResult> {
  const facts = factsAfter(lot, change);
  const moreCents = facts.quantity * facts.priceCents - lot.quantity * lot.priceCents;
  const totalCents = purchase.totalCents + moreCents;
  const row = rowOfLot(lot);
  const price = purchase.prices[row];
  const isAlone = lots.filter((each) => rowOfLot(each) === row).length === 1;
  const prices =
    price === undefined || !isAlone
      ? purchase.prices
      : { ...purchase.prices, [row]: priceAfter(price, lot, facts) };
  const receipt = changedPurchase(purchase, { totalCents, prices });
  return applyAll(action, {
    rows: [changedLot(facts, lot), ...(moreCents === 0 ? [] : [receipt])],
  });
}

/** The price on the receipt, whose tax and shipping stay in proportion. */
function priceAfter(price: number, lot: OwnLot, { priceCents }: LotFacts): number {
  return lot.priceCents === 0 ? priceCents : Math.round((priceCents * price) / lot.priceCents);
}

/** A change applies only to the purchase as its owner last saw it. */
function changedPurchase(seen: Purchase, change: Partial<PurchaseFacts>): AccountRowOf<'purchase'> {
  const { id: _, createdAt: __, ...facts } = seen;
  return { kind: 'purchase', facts: { ...facts, ...change }, seen };
}

function removal(seen: OwnLot): AccountRowOf<'lot_removal'> {
  return { kind: 'lot_removal', lotId: seen.id, seen };
}

/** A row of a changed receipt; `name` is null if it was added. */
interface ChangedRow extends Pick<BoughtLot, 'kind' | 'number' | 'condition' | 'grade'> {
  readonly name: string | null;
}

/**
 * The names of the rows of a changed receipt. One that was added takes the name of a removed one of
 * the same item, so that its lot keeps its details.
 */
export function rowNames(lots: readonly OwnLot[], rows: readonly ChangedRow[]): string[] {
  const kept = new Set(rows.map(({ name }) => name));
  const free = lots.filter((lot) => !kept.has(rowOfLot(lot)));
  let last = Math.max(0, ...lots.map((lot) => Number(rowOfLot(lot)) || 0));
  return rows.map((row) => {
    if (row.name !== null) return row.name;
    const lot = takeSame(free, row);
    return lot === null ? String(++last) : rowOfLot(lot);
  });
}

/** Takes a lot of the item, with others of its row, out of a list; if possible an equal one. */
function takeSame(lots: OwnLot[], row: ChangedRow): OwnLot | null {
  const same = lots.filter((lot) => isSameItem(lot, row));
  const isEqual = ({ condition, grade }: OwnLot) =>
    condition === row.condition && grade === (row.grade ?? null);
  const found = same.find(isEqual) ?? same[0] ?? null;
  const others = lots.filter((lot) => found === null || rowOfLot(lot) !== rowOfLot(found));
  lots.splice(0, lots.length, ...others);
  return found;
}

/**
 * Replaces the terms and the lots of a purchase. Lots of rows that stay are changed and keep their
 * details; the others are removed.
 */
export async function changePurchase(
  action: OwnerAction,
  { purchase, lots: old }: Bought,
  { terms, lots }: BoughtLots,
): Promise<ActionResult> {
  if (differsFromReceipt(purchase, old)) return { ok: false, reason: ownLotsReason };
  const brickfolio = old[0]?.brickfolio;
  if (brickfolio === undefined)
    return { ok: false, reason: 'all lots of this purchase were deleted' };
  const ids = purchaseLotIds(purchase.sourceId, lots);
  const known = new Map(old.map((lot) => [lot.sourceId, lot]));
  const rows = lots.map(({ row: _, ...lot }, index) => {
    const sourceId = at(ids, index);
    const now = known.get(sourceId);
    if (now) return changedLot({ ...withReceipt(now, purchase, terms), ...lot }, now);
    const { purchaseDate, store: boughtAt } = terms;
    const facts = { ...lotDefaults, ...lot, purchaseDate, boughtAt, sourceId, brickfolio };
    return newLot(facts);
  });
  const stay = new Set(ids);
  const left = old.filter(({ sourceId }) => !stay.has(sourceId));
  const detailed = left.find((lot) => hasOwnDetails(lot, purchase));
  if (detailed) return { ok: false, reason: keptReason(detailed) };
  const change = [...rows, ...left.map(removal), changedPurchase(purchase, terms)];
  return applyAll(action, { rows: change });
}

const ownLotsReason =
  'only the store and the date can be changed here, because lots were split, deleted or priced ' +
  'on their own. Change the lots on their pages.';

function keptReason({ number }: OwnLot): string {
  const what = `this would delete a lot of ${number} that has notes, a listing or other details`;
  return `${what}. Clear them on its page first.`;
}

/** Whether a lot has details that its purchase did not give it. */
function hasOwnDetails(lot: OwnLot, { store }: Purchase): boolean {
  const { grade: _, boughtAt, ...others } = lotDetails(lot);
  const isOther = boughtAt !== null && boughtAt !== store;
  return isOther || lot.status !== 'owned' || Object.values(others).some((value) => value !== null);
}

export interface ReturnedUnits {
  readonly lot: OwnLot;
  readonly units: number;
}

/** Takes units out of the lots of a purchase, as if they had not been bought. */
export async function returnUnits(
  action: OwnerAction,
  purchase: Purchase,
  given: {
    readonly units: readonly ReturnedUnits[];
    readonly date: string;
    readonly refundCents: number;
  },
): Promise<ActionResult> {
  const { units, date, refundCents } = given;
  const returned = {
    date,
    units: units.reduce((sum, each) => sum + each.units, 0),
    costCents: units.reduce((sum, each) => sum + each.units * each.lot.priceCents, 0),
    refundCents,
    items: itemsText(units),
  };
  const rows = units.map(({ lot, units: count }) =>
    count === lot.quantity
      ? removal(lot)
      : changedLot({ ...lotFacts(lot), quantity: lot.quantity - count }, lot),
  );
  const purchased = { ...changedPurchase(purchase, {}), returned };
  return applyAll(action, { rows: [...rows, purchased], undoAs: 'return' });
}

/** The maximum number of items that a return names. */
const namedMax = 20;

function itemsText(units: readonly ReturnedUnits[]): string {
  const more = units.length - namedMax;
  const names = units.slice(0, namedMax).map(unitsText).join(', ');
  return more > 0 ? `${names} and ${nounText(more, 'more lot')}` : names;
}

function unitsText({ lot, units }: ReturnedUnits): string {
  return units === 1 ? lot.number : `${countText(units)} × ${lot.number}`;
}
