/** Adds, changes and splits lots of an account. The store's rules decide what is allowed. */

import { at } from '../domain/kernel/at.ts';
import { nounText } from '../domain/kernel/format.ts';
import type { RowOutcome } from '../domain/market/market-ingest.ts';
import {
  type GivenLot,
  type LotFacts,
  lotFacts,
  type OwnLot,
  pageSourcePrefix,
  writtenLot,
} from '../domain/portfolio/lots.ts';
import type { PrivateRow, PrivateRowOf } from '../domain/portfolio/private-rows.ts';
import { purchaseLotId, purchaseOfLot, rowOfLot } from '../domain/portfolio/purchases.ts';
import type { AccountStore } from '../store/store.ts';

export interface OwnerAction {
  readonly accounts: AccountStore;
  readonly who: { readonly accountId: number; readonly email: string };
  readonly at: number;
}

export type ActionResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly field?: string };

/**
 * The source ID of a row recorded in a browser. The same form with the same content has the same
 * ID, so that it can be submitted twice.
 */
export function webSourceId(formId: string, content: unknown): string {
  const hash = Bun.SHA256.hash(`${formId} ${JSON.stringify(content)}`) as Uint8Array;
  return `${pageSourcePrefix}${Buffer.from(hash).toString('base64url')}`;
}

/**
 * Adds lots bought together to a collection, which is created if needed: all or nothing. IDs are
 * made from the input, not from computed prices, which may differ when the same form is submitted
 * again.
 */
export async function addLots(
  action: OwnerAction,
  bought: BoughtLots,
  form: { readonly id: string; readonly said: unknown },
): Promise<ActionResult> {
  const { accounts, who } = action;
  const ids = bought.lots.map((_, index) => webSourceId(form.id, [form.said, index]));
  // Submitted again: already done.
  if ((await accounts.findLots(who.accountId, ids)).size > 0) return { ok: true };
  return applyAll(action, boughtRows(action, bought, ids));
}

/** The rows that add lots to a collection; `ids` are their source IDs. */
export function boughtRows(
  action: Pick<OwnerAction, 'who'>,
  { lots, brickfolio }: BoughtLots,
  ids: readonly string[],
): PrivateRow[] {
  const rows: PrivateRow[] = lots.map((each, index) =>
    holding(action, { ...each, brickfolio: brickfolio.name, sourceId: at(ids, index) }),
  );
  const facts = { name: brickfolio.name, description: null, isDefault: true };
  const made: PrivateRow[] = [{ kind: 'brickfolio', email: action.who.email, facts }];
  return brickfolio.isNew ? [...made, ...rows] : rows;
}

/** Lots bought together, and the collection they are for. */
interface BoughtLots {
  readonly lots: readonly Omit<GivenLot, 'sourceId' | 'brickfolio'>[];
  readonly brickfolio: { readonly name: string; readonly isNew: boolean };
}

/** Changes any facts of a lot, including its collection. A grade stays if it fits the condition. */
export async function changeLot(
  action: OwnerAction,
  lot: OwnLot,
  change: Partial<LotFacts>,
): Promise<ActionResult> {
  const { grade: _, ...kept } = lotFacts(lot);
  const facts = writtenLot({ ...kept, ...change }, lot);
  const result = await applyAll(action, [holding(action, facts, lot)]);
  if (result.ok) return result;
  // Of two concurrent submissions, the other one may have done it.
  const now = (await action.accounts.findLots(action.who.accountId, [lot.sourceId])).get(
    lot.sourceId,
  );
  return now && Bun.deepEquals(lotFacts(now), facts) ? { ok: true } : result;
}

/** Moves units of a lot to a new lot, possibly in another collection. */
export async function splitLot(
  action: OwnerAction,
  lot: OwnLot,
  options: { readonly units: number; readonly brickfolio: string; readonly formId: string },
): Promise<ActionResult> {
  const { units, brickfolio, formId } = options;
  const ownId = webSourceId(formId, { lot: lot.id, units, brickfolio });
  const purchase = purchaseOfLot(lot.sourceId);
  // Units of a purchase stay part of it.
  const sourceId =
    purchase === null
      ? ownId
      : purchaseLotId(purchase, rowOfLot(lot), ownId.slice(pageSourcePrefix.length));
  // Submitted again: already done.
  const { accounts, who } = action;
  const isDone = async () => (await accounts.findLots(who.accountId, [sourceId])).has(sourceId);
  if (await isDone()) return { ok: true };
  const left = lot.quantity - units;
  if (left < Math.max(1, lot.sold)) {
    const most = lot.quantity - Math.max(1, lot.sold);
    return { ok: false, reason: `at most ${nounText(most, 'unit')} can be split off` };
  }
  const facts = lotFacts(lot);
  // The prediction of the lot also applies to these units.
  const prediction = await accounts.findPrediction(who.accountId, lot.id);
  const result = await applyAll(action, [
    holding(action, { ...facts, quantity: left }, lot),
    { ...holding(action, { ...facts, sourceId, brickfolio, quantity: units }), prediction },
  ]);
  return result.ok || (await isDone()) ? { ok: true } : result;
}

/** A change applies only to the lot as its owner last saw it. */
export function holding(
  { who }: Pick<OwnerAction, 'who'>,
  facts: GivenLot,
  seen?: OwnLot,
): PrivateRowOf<'holding'> {
  return { kind: 'holding', email: who.email, facts, ...(seen && { seen: lotFacts(seen) }) };
}

/** All or nothing. */
export async function applyAll(
  { accounts, at }: OwnerAction,
  rows: readonly PrivateRow[],
): Promise<ActionResult> {
  const outcomes = await accounts.applyTogether(rows, at);
  const rejected = outcomes.find(isRejected);
  if (!rejected) return { ok: true };
  const { reason, field } = rejected;
  return { ok: false, reason, ...(field && { field }) };
}

function isRejected(outcome: RowOutcome): outcome is Extract<RowOutcome, { kind: 'rejected' }> {
  return outcome.kind === 'rejected';
}
