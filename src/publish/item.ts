/** One item from its rows to its finished documents. Pure, and checked against the contract. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { MinifigSearchResult, SetSearchResult } from '../contract/catalog.ts';
import { MinifigRecord } from '../contract/minifig.ts';
import { RetailRow } from '../contract/retail.ts';
import { SetRecord } from '../contract/set.ts';
import { barcodeKey } from '../domain/barcode.ts';
import type { MinifigFacts, SetFacts } from '../domain/catalog.ts';
import type { Estimator } from '../domain/estimator.ts';
import { nextFeeChange } from '../domain/fba.ts';
import { retailers } from '../domain/market.ts';
import type {
  HistoryState,
  ItemInputs,
  PublishedItem,
  PublishedRetail,
} from '../domain/market-store.ts';
import { asinKey, asinOf, lastChangeAt } from '../domain/retail.ts';
import {
  foldOffers,
  type RetailState,
  type RetailStates,
  sellerConfirmedAt,
} from '../domain/retail-state.ts';
import { statusChanges } from '../domain/status.ts';
import { nextMonthCut } from '../domain/time.ts';
import { mergeFacts } from './merge.ts';
import { minifigDocument, minifigSearchResult } from './minifig-document.ts';
import { extendMonths } from './months.ts';
import { retailDocument } from './retail-document.ts';
import {
  type RetailerNames,
  setDocument,
  setSearchResult,
  setValuationFacts,
} from './set-document.ts';

/** What publishing needs besides the rows. */
export interface PublishSettings {
  readonly estimator: Estimator;
  readonly retailerNames: RetailerNames;
}

/** The moment that a publication speaks of. */
export interface PublishMoment {
  readonly at: number;
  readonly history: HistoryState;
}

/** Makes the documents of one item. */
export function publishItem(
  inputs: ItemInputs,
  settings: PublishSettings,
  moment: PublishMoment,
): PublishedItem {
  return inputs.kind === 'set'
    ? publishSet(inputs, settings, moment)
    : publishMinifig(inputs, settings, moment);
}

const writeSet = checkedWriter(SetRecord);
const writeSetSearch = checkedWriter(SetSearchResult);
const writeRetail = checkedWriter(RetailRow);
const writeMinifig = checkedWriter(MinifigRecord);
const writeMinifigSearch = checkedWriter(MinifigSearchResult);

function publishSet(
  inputs: ItemInputs,
  settings: PublishSettings,
  { at, history }: PublishMoment,
): PublishedItem {
  const { estimator, retailerNames } = settings;
  const facts = mergeFacts(inputs.records as readonly { source: string; facts: SetFacts }[]);
  const known = setValuationFacts(facts);
  const valuation = estimator.valueSet(known, inputs.sales, at);
  const retail = retailStates(inputs);
  const months = (condition: 'sealed' | 'used') =>
    extendMonths({
      estimator,
      // History starts in the month of release, which a year alone does not tell.
      facts: facts.releaseDate === null ? { ...known, releasedAt: null } : known,
      sales: inputs.sales,
      condition,
      stored: inputs.series[condition],
      history,
      at,
    });
  return {
    id: inputs.id,
    version: inputs.version,
    at,
    body: writeSet(setDocument(inputs, { facts, valuation, retail, names: retailerNames, at })),
    searchRow: writeSetSearch(setSearchResult(inputs.number, facts, at)),
    name: facts.title,
    theme: facts.theme,
    newCents: valuation.sealed?.valueCents ?? null,
    usedCents: valuation.used?.valueCents ?? null,
    series: { sealed: months('sealed'), used: months('used') },
    retail: publishRetail(inputs, { facts, states: retail, at }),
    dueAt: nextChange(
      [...statusChanges(facts), ...retailChanges(inputs, retail, at), valuation.changesAt],
      at,
    ),
  };
}

/** Goes on with the offers since the last publication. */
function retailStates({ retail }: ItemInputs): RetailStates {
  const state = ({ kept, offers }: ItemInputs['retail']['retailer_a']) => foldOffers(kept, offers);
  return { retailer_a: state(retail.retailer_a), retailer_b: state(retail.retailer_b) };
}

/**
 * When the retail row will differ by time alone: a flip is confirmed, fees change, or an offer that
 * came in while this was made is no longer ahead of it.
 */
function retailChanges(
  { retail }: ItemInputs,
  states: RetailStates,
  at: number,
): (number | null)[] {
  const ahead = retailers.map((retailer) => retail[retailer].nextAt);
  const known = knownStates(states);
  return known.length === 0
    ? ahead
    : [...ahead, ...known.map(sellerConfirmedAt), nextFeeChange(at)];
}

function knownStates(states: RetailStates): RetailState[] {
  return retailers.flatMap((retailer) => states[retailer] ?? []);
}

function publishRetail(
  inputs: ItemInputs,
  set: { readonly facts: SetFacts; readonly states: RetailStates; readonly at: number },
): PublishedRetail | null {
  const { facts, states, at } = set;
  const known = knownStates(states);
  if (known.length === 0) return null;
  const asin = asinOf(states);
  return {
    body: writeRetail(retailDocument({ number: inputs.number, facts }, states, at)),
    asinKey: asin && asinKey(asin),
    upcKey: facts.upc && barcodeKey(facts.upc),
    eanKey: facts.ean && barcodeKey(facts.ean),
    changedAt: lastChangeAt(states),
    newStates: known.filter((state) => state !== inputs.retail[state.retailer].kept),
  };
}

function publishMinifig(
  inputs: ItemInputs,
  settings: PublishSettings,
  { at }: PublishMoment,
): PublishedItem {
  const facts = mergeFacts(inputs.records as readonly { source: string; facts: MinifigFacts }[]);
  const value = settings.estimator.valueMinifig(inputs.sales, at);
  return {
    id: inputs.id,
    version: inputs.version,
    at,
    body: writeMinifig(minifigDocument(inputs, facts, value)),
    searchRow: writeMinifigSearch(minifigSearchResult(inputs.number, facts)),
    name: facts.name,
    theme: null,
    newCents: null,
    usedCents: value?.valueCents ?? null,
    series: { sealed: null, used: null },
    retail: null,
    dueAt: nextMonthCut(at),
  };
}

/** The first of the instants that lies ahead; a month becoming final is always one of them. */
function nextChange(changes: readonly (number | null)[], at: number): number {
  return changes.reduce<number>(
    (next, change) => (change !== null && change > at ? Math.min(next, change) : next),
    nextMonthCut(at),
  );
}

/** Writes a document as JSON, after checking it against the contract: wrong ones never get out. */
function checkedWriter<T extends TSchema>(schema: T): (document: Static<T>) => string {
  const validator = Compile(schema);
  return (document) => {
    if (!validator.Check(document)) {
      const [error] = validator.Errors(document);
      throw new Error(
        `A document breaks the contract at '${error?.instancePath}': ${error?.message}.`,
      );
    }
    return JSON.stringify(document);
  };
}
