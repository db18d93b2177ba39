/** Adds, changes and splits lots of an account. The store's rules decide what is allowed. */

import { nounText } from '../../kernel/format.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';
import { purchaseLotId, purchaseOfLot, rowOfLot } from '../purchases/purchases.ts';
import { type EditResult, editLotsMax, type LotEditKind } from './lot-edits.ts';
import {
  type GivenLot,
  type LotFacts,
  lotFacts,
  type OwnLot,
  pageSourcePrefix,
  writtenLot,
} from './lots.ts';
import {
  type AccountChange,
  type AccountRow,
  type AccountRowOf,
  type ChangeResult,
  isRejected,
  type Rejection,
  refusedCounts,
} from './private-rows.ts';

export interface OwnerAction {
  readonly accounts: PortfolioRoomStore;
  readonly accountId: number;
  readonly at: number;
  /** The ID of the form with its content, which is applied once. */
  readonly formId: string;
}

export type ActionResult =
  /** The ID undoes it, if that was asked for. */
  | { readonly ok: true; readonly editId: number | null }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly field?: NonNullable<Rejection['field']>;
    };

/** The source ID of a row that a form makes; the same if the form is sent again. */
export function pageSourceId(formId: string, index = 0): string {
  const hash = Bun.SHA256.hash(`${formId} ${index}`) as Uint8Array;
  return `${pageSourcePrefix}${Buffer.from(hash).toString('base64url')}`;
}

/** Adds lots bought together to a collection, which is created if needed: all or nothing. */
export function addLots(action: OwnerAction, bought: BoughtLots): Promise<ActionResult> {
  return applyAll(action, { rows: boughtRows(action.formId, bought) });
}

/** The rows that add lots to a collection. */
export function boughtRows(formId: string, { lots, brickfolio }: BoughtLots): AccountRow[] {
  const rows = lots.map((each, index) =>
    newLot({ ...each, brickfolio: brickfolio.name, sourceId: pageSourceId(formId, index) }),
  );
  return [...newCollection(brickfolio), ...rows];
}

/** Where lots are put: a collection that exists, or the first one of the account. */
export interface TargetCollection {
  readonly name: string;
  readonly isNew: boolean;
}

export function newCollection({ name, isNew }: TargetCollection): AccountRow[] {
  const facts = { name, description: null, isDefault: true };
  return isNew ? [{ kind: 'brickfolio', facts }] : [];
}

/** Lots bought together, and the collection they are for. */
interface BoughtLots {
  readonly lots: readonly Omit<GivenLot, 'sourceId' | 'brickfolio'>[];
  readonly brickfolio: TargetCollection;
}

/** Changes any facts of a lot, including its collection. A grade stays if it fits the condition. */
export async function changeLot(
  action: OwnerAction,
  lot: OwnLot,
  change: Partial<LotFacts>,
): Promise<ActionResult> {
  return applyAll(action, { rows: [changedLot(factsAfter(lot, change), lot)] });
}

export function factsAfter(lot: OwnLot, change: Partial<LotFacts>): LotFacts {
  const { grade: _, ...kept } = lotFacts(lot);
  return writtenLot({ ...kept, ...change }, lot);
}

/** Moves units of a lot to a new lot, possibly in another collection. */
export async function splitLot(
  action: OwnerAction,
  lot: OwnLot,
  { units, brickfolio }: { readonly units: number; readonly brickfolio: string },
): Promise<ActionResult> {
  const { accounts, accountId, formId } = action;
  const left = lot.quantity - units;
  if (left < Math.max(1, lot.sold)) {
    const most = lot.quantity - Math.max(1, lot.sold);
    return { ok: false, reason: `at most ${nounText(most, 'unit')} can be split off` };
  }
  const facts = lotFacts(lot);
  // The prediction of the lot also applies to these units.
  const prediction = await accounts.findPrediction(accountId, lot.id);
  const sourceId = splitSourceId(lot, formId);
  const moved = newLot({ ...facts, sourceId, brickfolio, quantity: units });
  return applyAll(action, {
    rows: [changedLot({ ...facts, quantity: left }, lot), { ...moved, prediction }],
  });
}

/** Units of a purchase stay part of it. */
function splitSourceId(lot: OwnLot, formId: string): string {
  const ownId = pageSourceId(formId);
  const purchase = purchaseOfLot(lot.sourceId);
  return purchase === null
    ? ownId
    : purchaseLotId(purchase, rowOfLot(lot), ownId.slice(pageSourcePrefix.length));
}

/** A change applies only to the lot as its owner last saw it. */
export function changedLot(facts: GivenLot, seen: OwnLot): AccountRowOf<'holding'> {
  return { kind: 'holding', facts, seen: lotFacts(seen) };
}

export function newLot(facts: GivenLot): AccountRowOf<'holding'> {
  return { kind: 'holding', facts, seen: null };
}

/** Applies a change once, all or nothing. */
export function applyOnce(
  { accounts, accountId, at, formId }: OwnerAction,
  change: Pick<AccountChange, 'rows' | 'undoAs' | 'isPartial'>,
): Promise<ChangeResult> {
  return accounts.change(accountId, { ...change, sent: { id: formId } }, at);
}

/** The same, with the reason if it was rejected. */
export async function applyAll(
  action: OwnerAction,
  change: Pick<AccountChange, 'rows' | 'undoAs'>,
): Promise<ActionResult> {
  const { outcomes, editId } = await applyOnce(action, change);
  const rejected = outcomes.find(isRejected);
  if (!rejected) return { ok: true, editId };
  const { reason, field } = rejected;
  return { ok: false, reason, ...(field && { field }) };
}

/** Lots that cannot be changed are counted. The id undoes it; null if nothing changed. */
export async function editLots(
  action: OwnerAction,
  kind: LotEditKind,
  rows: readonly AccountRow[],
): Promise<EditResult & { readonly id: number | null }> {
  if (rows.length > editLotsMax) throw new Error(`More than ${editLotsMax} lots at once.`);
  const change = { rows, isPartial: true, undoAs: kind };
  const { outcomes, editId } = await applyOnce(action, change);
  const changed = outcomes.filter((outcome) => outcome.kind === 'updated').length;
  return { kind, id: editId, changed, refused: refusedCounts(outcomes) };
}
