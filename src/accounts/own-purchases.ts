/** Adds, changes and returns purchases of several items: one receipt with several lots. */
import { itemKey } from '../domain/catalog/numbers.ts';
import { countText, nounText } from '../domain/kernel/format.ts';
import {
  type GivenLot,
  lotDefaults,
  lotFacts,
  type OwnLot,
  pageSourcePrefix,
} from '../domain/portfolio/lots.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import {
  type Purchase,
  type PurchaseFacts,
  purchaseLimits,
  purchaseLotId,
} from '../domain/portfolio/purchases.ts';
import { type ActionResult, holding, type OwnerAction, webSourceId } from './own-lots.ts';

/** A lot of a purchase. */
export type BoughtLot = Pick<
  GivenLot,
  'kind' | 'number' | 'condition' | 'quantity' | 'priceCents' | 'grade'
>;

export type PurchaseTerms = Omit<PurchaseFacts, 'sourceId' | 'returns'>;

interface BoughtLots {
  readonly terms: PurchaseTerms;
  readonly lots: readonly BoughtLot[];
}

/** The source ID of a new purchase; the same for a form that is sent again. */
export function purchaseId(formId: string, said: unknown): string {
  return webSourceId(formId, said);
}

/** Adds a purchase with its lots to a collection, which is created if needed. */
export async function addPurchase(
  action: OwnerAction,
  { sourceId, terms, lots }: BoughtLots & { readonly sourceId: string },
  brickfolio: { readonly name: string; readonly isNew: boolean },
): Promise<ActionResult> {
  const { accounts, who, at } = action;
  // Sent again: already done.
  const isDone = async () => (await accounts.findPurchaseId(who.accountId, sourceId)) !== null;
  if (await isDone()) return { ok: true };
  const rows = lots.map((lot, index) =>
    holding(action, {
      ...lotDefaults,
      ...lot,
      sourceId: purchaseLotId(sourceId, index + 1),
      brickfolio: brickfolio.name,
      purchaseDate: terms.purchaseDate,
      boughtAt: terms.store,
    }),
  );
  const facts = { name: brickfolio.name, description: null, isDefault: true };
  const made: PrivateRow[] = [{ kind: 'brickfolio', email: who.email, facts }];
  const change = {
    purchase: { ...terms, sourceId, returns: [] },
    rows: brickfolio.isNew ? [...made, ...rows] : rows,
    removedLots: [],
  };
  const reason = await accounts.savePurchase(who.accountId, change, at);
  return reason === null || (await isDone()) ? { ok: true } : { ok: false, reason };
}

/** Why the costs of a purchase are final; null if it can be changed or undone. */
export function fixedReason(purchase: Purchase, lots: readonly OwnLot[]): string | null {
  const sold = lots.reduce((sum, lot) => sum + lot.sold, 0);
  if (sold > 0) {
    const were = sold === 1 ? 'was' : 'were';
    const what = `${nounText(sold, 'unit')} of this purchase ${were} sold`;
    return `${what}, and the cost of a sale is final. Delete the sales first.`;
  }
  return purchase.returns.length > 0
    ? 'Units of this purchase were returned, so its costs are final.'
    : null;
}

/**
 * Replaces the terms and the lots of a purchase. Lots of the same item stay, with their details;
 * the others are removed.
 */
export async function changePurchase(
  action: OwnerAction,
  purchase: Purchase,
  { terms, lots, formId }: BoughtLots & { readonly formId: string },
): Promise<ActionResult> {
  const { accounts, who, at } = action;
  const old = await accounts.listPurchaseLots(who.accountId, purchase.sourceId);
  const fixed = fixedReason(purchase, old);
  if (fixed) return { ok: false, reason: fixed };
  const left = [...old];
  const place = old[0]?.brickfolio;
  const rows: PrivateRow[] = [];
  for (const [index, lot] of lots.entries()) {
    const now = takeSame(left, lot);
    const change = { ...lot, purchaseDate: terms.purchaseDate, boughtAt: terms.store };
    if (now) rows.push(holding(action, { ...lotFacts(now), ...change }, now));
    else if (place !== undefined) {
      const name = webSourceId(formId, index).slice(pageSourcePrefix.length);
      const sourceId = purchaseLotId(purchase.sourceId, name);
      rows.push(holding(action, { ...lotDefaults, ...change, sourceId, brickfolio: place }));
    } else return { ok: false, reason: 'all lots of this purchase were deleted' };
  }
  const facts = { ...terms, sourceId: purchase.sourceId, returns: purchase.returns };
  const change = { purchase: facts, rows, removedLots: left.map(({ id }) => id) };
  const reason = await accounts.savePurchase(who.accountId, change, at);
  return reason === null ? { ok: true } : { ok: false, reason };
}

/** Takes a lot of the same item out of a list, if possible with the same condition and grade. */
function takeSame(lots: OwnLot[], { kind, number, condition, grade }: BoughtLot): OwnLot | null {
  const isSame = (lot: OwnLot) => lot.kind === kind && lot.key === itemKey(kind, number);
  const isEqual = (lot: OwnLot) =>
    isSame(lot) && lot.condition === condition && lot.grade === (grade ?? null);
  const equal = lots.findIndex(isEqual);
  const index = equal >= 0 ? equal : lots.findIndex(isSame);
  return index < 0 ? null : (lots.splice(index, 1)[0] ?? null);
}

export interface ReturnedUnits {
  readonly lot: OwnLot;
  readonly units: number;
}

/** Takes units out of the lots of a purchase, as if they had not been bought. */
export async function returnUnits(
  { accounts, who, at }: OwnerAction,
  purchase: Purchase,
  given: {
    readonly units: readonly ReturnedUnits[];
    readonly date: string;
    readonly refundCents: number;
  },
): Promise<ActionResult> {
  const { units, date, refundCents } = given;
  if (purchase.returns.length >= purchaseLimits.returns) {
    return { ok: false, reason: `a purchase can have ${purchaseLimits.returns} returns` };
  }
  const action = { accounts, who, at };
  const kept = units.filter(({ lot, units: count }) => count < lot.quantity);
  const returned = {
    date,
    units: units.reduce((sum, each) => sum + each.units, 0),
    costCents: units.reduce((sum, each) => sum + each.units * each.lot.priceCents, 0),
    refundCents,
    items: units.map(unitsText).join(', '),
  };
  const { id: _, createdAt: __, ...facts } = purchase;
  const change = {
    purchase: { ...facts, returns: [...purchase.returns, returned] },
    rows: kept.map(({ lot, units: count }) =>
      holding(action, { ...lotFacts(lot), quantity: lot.quantity - count }, lot),
    ),
    removedLots: units.filter(({ lot, units: count }) => count === lot.quantity).map(lotId),
  };
  const reason = await accounts.savePurchase(who.accountId, change, at);
  return reason === null ? { ok: true } : { ok: false, reason };
}

const lotId = ({ lot }: ReturnedUnits) => lot.id;

function unitsText({ lot, units }: ReturnedUnits): string {
  return units === 1 ? lot.number : `${countText(units)} × ${lot.number}`;
}
