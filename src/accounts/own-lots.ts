/** What an owner does to lots: add, change, split. Rules of the store decide what may be done. */
import type { AccountStore, PrivateRow } from '../domain/account/account-store.ts';
import type { RowOutcome } from '../domain/market/market-store.ts';
import type { OwnLot } from '../domain/portfolio/holding-edits.ts';
import type { LotFacts } from '../domain/portfolio/lots.ts';

/** Whoever does it, and when. */
export interface Doing {
  readonly accounts: AccountStore;
  readonly who: { readonly accountId: number; readonly email: string };
  readonly at: number;
}

/** It is done; or why not, in words. */
export type Done = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * What a row is called that was recorded in a browser. The same form with the same content is the
 * same row, so that it may be sent twice; with other content it is another one.
 */
export function webSourceId(once: string, content: unknown): string {
  const hash = Bun.SHA256.hash(`${once} ${JSON.stringify(content)}`) as Uint8Array;
  return `web:${Buffer.from(hash).toString('base64url')}`;
}

/** Adds a lot. */
export function addLot(
  doing: Doing,
  facts: Omit<LotFacts, 'sourceId'>,
  once: string,
): Promise<Done> {
  return applyAll(doing, [holding(doing, { ...facts, sourceId: webSourceId(once, facts) })]);
}

/** Changes a lot, or moves it to another collection, which is a change like others. */
export async function changeLot(
  doing: Doing,
  lot: OwnLot,
  change: Partial<LotFacts>,
): Promise<Done> {
  const facts = { ...factsOf(lot), ...change };
  const done = await applyAll(doing, [holding(doing, facts, lot)]);
  if (done.ok) return done;
  // Sent twice at once, the other one has done it.
  const now = (await doing.accounts.findLots(doing.who.accountId, [lot.sourceId])).get(
    lot.sourceId,
  );
  return now && Bun.deepEquals(factsOf(now), facts) ? { ok: true } : done;
}

/** Takes units out of a lot into a new one, which is in all else the same, or in another place. */
export async function splitLot(
  doing: Doing,
  lot: OwnLot,
  options: { readonly units: number; readonly brickfolio: string; readonly once: string },
): Promise<Done> {
  const { units, brickfolio, once } = options;
  const sourceId = webSourceId(once, { lot: lot.id, units, brickfolio });
  // Sent again, there is nothing left to do.
  const { accounts, who } = doing;
  const isDone = async () => (await accounts.findLots(who.accountId, [sourceId])).has(sourceId);
  if (await isDone()) return { ok: true };
  const left = lot.quantity - units;
  if (left < Math.max(1, lot.sold)) {
    const most = lot.quantity - Math.max(1, lot.sold);
    return { ok: false, reason: `at most ${most} units can be split off` };
  }
  const facts = factsOf(lot);
  const done = await applyAll(doing, [
    holding(doing, { ...facts, quantity: left }, lot),
    holding(doing, { ...facts, sourceId, brickfolio, quantity: units }),
  ]);
  return done.ok || (await isDone()) ? { ok: true } : done;
}

function factsOf(lot: LotFacts): LotFacts {
  const { sourceId, brickfolio, setNumber, quantity, condition, priceCents } = lot;
  const { purchaseDate, status, isEstimated } = lot;
  return {
    sourceId,
    brickfolio,
    setNumber,
    quantity,
    condition,
    priceCents,
    purchaseDate,
    status,
    isEstimated,
  };
}

/** A lot to be, or to change; what was seen of it is what the change was thought out for. */
function holding({ who }: Doing, facts: LotFacts, seen?: OwnLot): PrivateRow {
  return { kind: 'holding', email: who.email, facts, ...(seen && { seen: factsOf(seen) }) };
}

/** Applies rows, all or none of them. */
export async function applyAll(
  { accounts, at }: Doing,
  rows: readonly PrivateRow[],
): Promise<Done> {
  const outcomes = await accounts.applyTogether(rows, at);
  const refusal = outcomes.find(isRejected);
  return refusal ? { ok: false, reason: refusal.reason } : { ok: true };
}

function isRejected(outcome: RowOutcome): outcome is Extract<RowOutcome, { kind: 'rejected' }> {
  return outcome.kind === 'rejected';
}
