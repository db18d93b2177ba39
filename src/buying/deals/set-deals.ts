/** Finds deal candidates among the offers of a set, with the expectations of their first day. */

import { type SetFacts, unknownBox } from '../../catalog/items/catalog.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import type { PublishedDeal } from '../../market/published/deals.ts';
import type { ItemInputs } from '../../market/published/publishing.ts';
import type { RetailStates } from '../../market/retail/retail-state.ts';
import { retailers } from '../../market/source-rows/source-rows.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import { amazonAsk, type Resale, resaleOf } from '../prices/resale.ts';
import { type FeeTables, nextTableChange } from '../prices/selling-channels.ts';
import {
  type BestSale,
  bestSale,
  type DealCandidate,
  EvenOdds,
  isDealTier,
  outdatedAt,
  profitOf,
  toDeal,
} from './deal.ts';
import { dealOffer, noDealReason } from './deal-offer.ts';
import { predictionOf } from './deal-prediction.ts';

interface OfferedSet {
  readonly facts: SetFacts;
  readonly statusId: StatusId;
  readonly retail: RetailStates;
  readonly evidence: Evidence;
}

/** The deals, and when they change with time alone. */
export interface FoundDeals {
  readonly deals: readonly PublishedDeal[];
  readonly changesAt: readonly number[];
}

export function findSetDeals(
  inputs: Pick<ItemInputs, 'key' | 'number'>,
  set: OfferedSet,
  { tables, at }: { readonly tables: FeeTables; readonly at: number },
): FoundDeals {
  const states = retailers.flatMap((retailer) => set.retail[retailer] ?? []);
  if (states.length === 0) return noDeals;
  const resale = sealedResale(set);
  const odds = resale && new EvenOdds(tables, resale, at);
  const { statusId, facts } = set;
  const offered = { statusId, msrpCents: facts.msrpCents };
  // Net proceeds do not depend on the retailer.
  let sale: BestSale | null = null;
  const changesAt: number[] = [];
  const deals = states.map((state): PublishedDeal => {
    const { retailer, latest } = state;
    const { priceCents } = latest;
    const reason = noDealReason(state, odds, at);
    const offer = reason === null ? dealOffer(state, offered, at) : null;
    if (resale === null || offer === null) {
      return { retailer, priceCents, body: null, usual: { reason: reason ?? 'no_offer' } };
    }
    const candidate = toCandidate(inputs, set, { resale, offer });
    changesAt.push(outdatedAt(offer));
    sale ??= bestSale(tables, resale, { terms: defaultTerms, at });
    const usual = usualDeal(candidate, sale, { tables, at });
    return { retailer, priceCents, body: JSON.stringify(candidate), usual };
  });
  if (changesAt.length > 0) changesAt.push(nextTableChange(tables, at));
  return { deals, changesAt };
}

/** The expectations of an offer, if it is a deal at default terms. */
function usualDeal(
  candidate: DealCandidate,
  sale: BestSale | null,
  { tables, at }: { readonly tables: FeeTables; readonly at: number },
): PublishedDeal['usual'] {
  const profit = sale && profitOf(candidate.offer.priceCents, sale, defaultTerms);
  if (!isDealTier(candidate.resale.tier)) return { reason: 'low_tier' };
  if (sale === null || profit === null) return { reason: 'too_dear' };
  return {
    predict: () => {
      const deal = toDeal(candidate, { sale, profit }, { terms: defaultTerms, at });
      return JSON.stringify(predictionOf(tables, deal, at));
    },
  };
}

const noDeals: FoundDeals = { deals: [], changesAt: [] };

/** How a sealed unit sells; null: no sales support its value. */
function sealedResale({ facts, retail, evidence }: OfferedSet): Resale | null {
  const latest = retail.retailer_a?.latest;
  const resale = resaleOf(evidence, 'sealed', {
    parcel: { box: facts.box ?? unknownBox, pieces: facts.pieces },
    fbaSellers: latest?.fbaSellers ?? null,
    amazonAskCents: latest ? amazonAsk(latest) : null,
  });
  return resale?.tier === 'modeled' ? null : resale;
}

function toCandidate(
  { key, number }: Pick<ItemInputs, 'key' | 'number'>,
  { facts, statusId, evidence }: OfferedSet,
  { resale, offer }: Pick<DealCandidate, 'resale' | 'offer'>,
): DealCandidate {
  const { title, theme } = facts;
  const partsCents = evidence.parts?.sealed?.soldCents ?? null;
  return { setKey: key, setNumber: number, title, theme, statusId, resale, offer, partsCents };
}
