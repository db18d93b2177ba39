/** What of a set's offers may be a deal, and what was to be expected of it. */

import { type FeeTables, nextTableChange } from '../domain/buying/channels.ts';
import { type DealCandidate, outdatedAt } from '../domain/buying/deal.ts';
import { dealOffer, noDealReason } from '../domain/buying/deal-offer.ts';
import { predictionOf, usualDeal } from '../domain/buying/deal-prediction.ts';
import { type Resale, resaleOf } from '../domain/buying/resale.ts';
import type { Box, SetFacts } from '../domain/catalog/catalog.ts';
import type { StatusId } from '../domain/catalog/status.ts';
import type { PublishedDeal } from '../domain/market/deals.ts';
import type { Evidence } from '../domain/market/evidence.ts';
import type { ItemInputs } from '../domain/market/publishing-store.ts';
import type { RetailStates } from '../domain/market/retail-state.ts';
import { retailers } from '../domain/market/source-rows.ts';

/** A set with what retailers ask for it and what stands behind its value. */
interface OfferedSet {
  readonly facts: SetFacts;
  readonly statusId: StatusId;
  readonly retail: RetailStates;
  readonly evidence: Evidence;
}

/** What was found at the retailers, and when that changes with time alone. */
export interface FoundDeals {
  readonly deals: readonly PublishedDeal[];
  readonly changesAt: readonly number[];
}

/** Looks at what each retailer asks for a set. */
export function findSetDeals(
  inputs: Pick<ItemInputs, 'key' | 'number'>,
  set: OfferedSet,
  { tables, at }: { readonly tables: FeeTables; readonly at: number },
): FoundDeals {
  const states = retailers.flatMap((retailer) => set.retail[retailer] ?? []);
  if (states.length === 0) return noDeals;
  const resale = sealedResale(set);
  const changesAt: number[] = [];
  const deals = states.map((state): PublishedDeal => {
    const { retailer, latest } = state;
    const { priceCents } = latest;
    const reason = noDealReason(tables, { resale, state }, at);
    const offer = reason === null ? dealOffer(state, { ...set, ...set.facts }, at) : null;
    if (resale === null || offer === null) {
      return { retailer, priceCents, body: null, usual: { reason: reason ?? 'no_offer' } };
    }
    const candidate = toCandidate(inputs, set, { resale, offer });
    changesAt.push(outdatedAt(offer));
    const deal = usualDeal(tables, candidate, at);
    const usual =
      deal === null ? tooDear : { predict: () => JSON.stringify(predictionOf(tables, deal, at)) };
    return { retailer, priceCents, body: JSON.stringify(candidate), usual };
  });
  if (changesAt.length > 0) changesAt.push(nextTableChange(tables, at));
  return { deals, changesAt };
}

const noDeals: FoundDeals = { deals: [], changesAt: [] };
const tooDear = { reason: 'too_dear' } as const;

const unknownBox: Box = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

/** What is known of selling a sealed one; null when it has no value. */
function sealedResale({ facts, retail, evidence }: OfferedSet): Resale | null {
  return resaleOf(evidence, 'sealed', {
    parcel: { box: facts.box ?? unknownBox, pieces: facts.pieces },
    fbaSellers: retail.retailer_a?.latest.fbaSellers ?? null,
  });
}

function toCandidate(
  { key, number }: Pick<ItemInputs, 'key' | 'number'>,
  { facts, statusId }: OfferedSet,
  { resale, offer }: Pick<DealCandidate, 'resale' | 'offer'>,
): DealCandidate {
  const { title, theme } = facts;
  return { setKey: key, setNumber: number, title, theme, statusId, resale, offer };
}
