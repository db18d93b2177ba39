/** What an owner does to lots: add, change, split. Rules of the store decide what may be done. */

import type { AccountStore } from '../domain/account/account-store.ts';
import { nounText } from '../domain/kernel/format.ts';
import type { RowOutcome } from '../domain/market/market-ingest.ts';
import type { OwnLot } from '../domain/portfolio/lot-store.ts';
import { type LotFacts, lotFacts, pageSourcePrefix } from '../domain/portfolio/lots.ts';
import type { PrivateRow, PrivateRowOf } from '../domain/portfolio/private-rows.ts';

/** Who changes something, in which store, and when. */
export interface OwnerAction {
  readonly accounts: AccountStore;
  readonly who: { readonly accountId: number; readonly email: string };
  readonly at: number;
}

/** Whether it was done, and if not, why. */
export type ActionResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly field?: string };

/**
 * What a row is called that was recorded in a browser. The same form with the same content is the
 * same row, so that it may be sent twice; with other content it is another one.
 */
export function webSourceId(formId: string, content: unknown): string {
  const hash = Bun.SHA256.hash(`${formId} ${JSON.stringify(content)}`) as Uint8Array;
  return `${pageSourcePrefix}${Buffer.from(hash).toString('base64url')}`;
}

/**
 * Adds lots that were bought together to a collection, which may have to be made: all or nothing.
 * What was said names the lots, not what followed from it: prices may be others when the same form
 * is sent again, the lots are the same.
 */
export async function addLots(
  action: OwnerAction,
  bought: {
    readonly lots: readonly Omit<LotFacts, 'sourceId' | 'brickfolio'>[];
    readonly brickfolio: { readonly name: string; readonly isNew: boolean };
  },
  form: { readonly id: string; readonly said: unknown },
): Promise<ActionResult> {
  const { accounts, who } = action;
  const { lots, brickfolio } = bought;
  const ids = lots.map((_, index) => webSourceId(form.id, [form.said, index]));
  // Sent again, there is nothing left to do.
  if ((await accounts.findLots(who.accountId, ids)).size > 0) return { ok: true };
  const rows: PrivateRow[] = lots.map((each, index) =>
    holding(action, { ...each, brickfolio: brickfolio.name, sourceId: ids[index] ?? '' }),
  );
  const facts = { name: brickfolio.name, description: null, isDefault: true };
  const made: PrivateRow[] = [{ kind: 'brickfolio', email: who.email, facts }];
  return applyAll(action, brickfolio.isNew ? [...made, ...rows] : rows);
}

/** Changes a lot, or moves it to another collection, which is a change like others. */
export async function changeLot(
  action: OwnerAction,
  lot: OwnLot,
  change: Partial<LotFacts>,
): Promise<ActionResult> {
  const facts = { ...lotFacts(lot), ...change };
  const result = await applyAll(action, [holding(action, facts, lot)]);
  if (result.ok) return result;
  // Sent twice at once, the other one has done it.
  const now = (await action.accounts.findLots(action.who.accountId, [lot.sourceId])).get(
    lot.sourceId,
  );
  return now && Bun.deepEquals(lotFacts(now), facts) ? { ok: true } : result;
}

/** Takes units out of a lot into a new one, which is in all else the same, or in another place. */
export async function splitLot(
  action: OwnerAction,
  lot: OwnLot,
  options: { readonly units: number; readonly brickfolio: string; readonly formId: string },
): Promise<ActionResult> {
  const { units, brickfolio, formId } = options;
  const sourceId = webSourceId(formId, { lot: lot.id, units, brickfolio });
  // Sent again, there is nothing left to do.
  const { accounts, who } = action;
  const isDone = async () => (await accounts.findLots(who.accountId, [sourceId])).has(sourceId);
  if (await isDone()) return { ok: true };
  const left = lot.quantity - units;
  if (left < Math.max(1, lot.sold)) {
    const most = lot.quantity - Math.max(1, lot.sold);
    return { ok: false, reason: `at most ${nounText(most, 'unit')} can be split off` };
  }
  const facts = lotFacts(lot);
  // What was predicted of the lot was predicted of these units.
  const prediction = await accounts.findPrediction(who.accountId, lot.id);
  const result = await applyAll(action, [
    holding(action, { ...facts, quantity: left }, lot),
    { ...holding(action, { ...facts, sourceId, brickfolio, quantity: units }), prediction },
  ]);
  return result.ok || (await isDone()) ? { ok: true } : result;
}

/** A lot to add or change. A change only applies to the lot as its owner last saw it. */
function holding({ who }: OwnerAction, facts: LotFacts, seen?: OwnLot): PrivateRowOf<'holding'> {
  return { kind: 'holding', email: who.email, facts, ...(seen && { seen: lotFacts(seen) }) };
}

/** Applies rows, all or none of them. */
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
