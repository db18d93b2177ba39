/** Turns the rows of an item into documents, validated against the contract. Pure. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { gradeDeals } from '../buying/deals/deal-grade.ts';
import { findSetDeals } from '../buying/deals/set-deals.ts';
import type { FeeTables } from '../buying/prices/selling-channels.ts';
import { barcodeKey } from '../catalog/barcodes/barcode.ts';
import type { SetFacts } from '../catalog/items/catalog.ts';
import { type Lifetime, lifetimeOf, statusAt, statusChanges } from '../catalog/items/status.ts';
import { MinifigSearchResult, SetSearchResult } from '../contract/catalog.ts';
import { MinifigRecord } from '../contract/minifig.ts';
import { RetailRow } from '../contract/retail.ts';
import { SetRecord } from '../contract/set.ts';
import { lazy } from '../kernel/lazy.ts';
import { dayMs, nextMonthCut, nextMonthStart, parseDay } from '../kernel/time.ts';
import { eventFacts } from '../market/events/event-facts.ts';
import type { Evidence } from '../market/evidence/evidence.ts';
import { newSales, scoreSales } from '../market/evidence/scores.ts';
import { nextFeeChange } from '../market/fees/fba.ts';
import type { HistoryState } from '../market/history/history.ts';
import { extendMonths, type MonthsInput } from '../market/history/months.ts';
import type {
  ItemInputs,
  MinifigInputs,
  PublishedItem,
  PublishedRetail,
} from '../market/published/publishing.ts';
import { asinKey, asinOf, lastChangeAt, lastOwnOfferAt } from '../market/retail/retail.ts';
import { retailDocument } from '../market/retail/retail-document.ts';
import {
  foldOffers,
  monthsUntil,
  type RetailState,
  type RetailStates,
  sellerConfirmedAt,
} from '../market/retail/retail-state.ts';
import { type Condition, conditions, retailers } from '../market/source-rows/source-rows.ts';
import {
  type CheckpointUse,
  checkpointRowsMin,
  checkpointTimes,
} from '../market/values/checkpoint.ts';
import type { Estimator, MinifigValuation, SetValuation } from '../market/values/estimator.ts';
import { liquidityOf } from '../market/values/liquidity.ts';
import { estimateParts } from '../market/values/parts.ts';
import {
  minifigFacts,
  minifigToValue,
  setFacts,
  setToValue,
} from '../market/values/valuation-inputs.ts';
import { minifigDocument, minifigSearchResult } from './minifig-document.ts';
import { minifigOutlook, setOutlook } from './outlook.ts';
import { minifigSearchFacts, setSearchFacts } from './search-facts.ts';
import { type RetailerNames, setDocument, setSearchResult } from './set-document.ts';

export interface ItemSettings {
  readonly estimator: Estimator;
  readonly retailerNames: RetailerNames;
  /** Fees and postage, for deals. */
  readonly tables: FeeTables;
  /** For tests: items with fewer rows have no checkpoints. */
  readonly checkpointRowsMin?: number;
}

export interface PublishMoment {
  readonly at: number;
  readonly history: HistoryState;
}

export function publishItem(
  inputs: ItemInputs,
  settings: ItemSettings,
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
  settings: ItemSettings,
  { at, history }: PublishMoment,
): PublishedItem {
  const { estimator, retailerNames, tables } = settings;
  const facts = setFacts(inputs);
  const retail = retailStates(inputs);
  const lifetime = lifetimeOf(facts, lastOwnOfferAt(retail));
  const events = knownEvents(facts, lifetime, at);
  const checkpoints = checkpointUse(inputs, settings, { at, facts: JSON.stringify(events) });
  const prepared = estimator.prepareSet(setToValue(inputs, facts, checkpoints));
  const months = (condition: 'sealed' | 'used') =>
    extendMonths({
      set: prepared,
      facts: events,
      condition,
      stored: inputs.series[condition],
      history,
      at,
    });
  // Months first, because the value continues from their end.
  const series = { sealed: months('sealed'), used: months('used') };
  const valuation = prepared.valueAt(at);
  const evidence = withParts(publishedEvidence(valuation.evidence, inputs), inputs, facts);
  const statusId = statusAt(lifetime, at);
  const sales = newSales({ before: inputs.evidence, at, ...prepared });
  const { deals, changesAt } = findSetDeals(
    inputs,
    { facts, statusId, retail, evidence },
    { tables, at },
  );
  return {
    id: inputs.id,
    version: inputs.version,
    at,
    body: writeSet(
      setDocument(inputs, { facts, lifetime, valuation, retail, names: retailerNames, at }),
    ),
    searchRow: writeSetSearch(setSearchResult(inputs.number, { facts, lifetime, at })),
    search: setSearchFacts(inputs, facts, at),
    name: facts.title,
    theme: facts.theme,
    itemClass: facts.itemClass,
    minifigsCount: facts.minifigsCount,
    upcKey: facts.upc && barcodeKey(facts.upc),
    eanKey: facts.ean && barcodeKey(facts.ean),
    newCents: valuation.sealed?.valueCents ?? null,
    usedCents: valuation.used?.valueCents ?? null,
    series,
    retail: publishRetail(inputs, { facts, states: retail, at }),
    deals,
    evidence,
    events: eventFacts({ evidence, series, history, at, statusId, retail }),
    outlook: setOutlook(inputs, { facts, evidence, asin: asinOf(retail), at }),
    scores: scoreSales(sales, { kind: 'set', before: inputs.evidence }),
    dealScores: gradeDeals(tables, inputs.deals, sales),
    checkpoints: prepared.checkpoints(),
    checkpointTimes: checkpoints.times,
    dueAt: nextChange(
      [
        ...statusChanges(lifetime),
        ...retailChanges(inputs, retail, at),
        ...valueChanges(valuation, at),
        ...changesAt,
      ],
      at,
    ),
  };
}

/** `facts` are those that stored months depend on besides the valuation: their events. */
function checkpointUse(
  { checkpoint }: ItemInputs,
  { checkpointRowsMin: rowsMin = checkpointRowsMin }: ItemSettings,
  { at, facts }: { readonly at: number; readonly facts: string },
): CheckpointUse {
  return { from: checkpoint, times: checkpointTimes(at), rowsMin, facts };
}

/** Events in history: it starts in the month of release, which a year alone does not determine. */
function knownEvents(
  { releaseDate }: SetFacts,
  { releasedAt, retiredAt, lastDay }: Lifetime,
  at: number,
): MonthsInput['facts'] {
  const isRetired = retiredAt !== null && at >= retiredAt;
  return {
    releasedAt: releaseDate === null ? null : releasedAt,
    retiredAt: isRetired && lastDay !== null ? parseDay(lastDay) : null,
  };
}

/** Folds in the offers since the last publication. */
function retailStates({ retail }: ItemInputs): RetailStates {
  const state = ({ kept, offers }: ItemInputs['retail']['retailer_a']) => foldOffers(kept, offers);
  return { retailer_a: state(retail.retailer_a), retailer_b: state(retail.retailer_b) };
}

/**
 * When the retail row changes with time alone: a flip is confirmed, fees change, or an offer dated
 * in the future becomes current.
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
    months: {
      retailer_a: states.retailer_a ? monthsUntil(states.retailer_a, at) : [],
      retailer_b: states.retailer_b ? monthsUntil(states.retailer_b, at) : [],
    },
    newStates: known.filter((state) => state !== inputs.retail[state.retailer].kept),
  };
}

/** The evidence with facts that are not part of the valuation. */
function publishedEvidence(
  evidence: Evidence,
  { listings, minifig }: Pick<ItemInputs, 'listings' | 'minifig'>,
): Evidence {
  return {
    ...evidence,
    ...(minifig && { sharedWith: { kind: 'minifig', number: minifig.number } }),
    ...(listings && { listings }),
  };
}

/** The evidence of a set with what its parts sell for, if any source says. */
function withParts(
  evidence: Evidence,
  { parts }: Pick<ItemInputs, 'parts'>,
  { pieces }: Pick<SetFacts, 'pieces'>,
): Evidence {
  if (parts === null) return evidence;
  const { at } = evidence;
  const estimate = (condition: Condition) => {
    const sellThrough = liquidityOf(evidence, condition, at)?.sellThrough ?? null;
    return estimateParts(parts[condition], { pieces, sellThrough }, at);
  };
  return { ...evidence, parts: { sealed: estimate('sealed'), used: estimate('used') } };
}

function publishMinifig(
  inputs: ItemInputs,
  settings: ItemSettings,
  moment: PublishMoment,
): PublishedItem {
  const { at } = moment;
  const facts = minifigFacts(inputs);
  const checkpoints = checkpointUse(inputs, settings, { at, facts: '' });
  const prepared = settings.estimator.prepareMinifig(minifigToValue(inputs, facts, checkpoints));
  const valuation = prepared.valueAt(at);
  const evidence = publishedEvidence(valuation.evidence, inputs);
  const before = inputs.evidence;
  const sales = newSales({ before, at, ...prepared });
  return {
    ...minifigItem(inputs, evidence, moment),
    scores: scoreSales(sales, { kind: 'minifig', before }),
    checkpoints: prepared.checkpoints(),
    checkpointTimes: checkpoints.times,
    dueAt: nextChange(valueChanges(valuation, at), at),
  };
}

/** The collectible minifig that is valued as a set, with the values of the set; none for others. */
export function publishValued(
  { number, minifig }: ItemInputs,
  set: PublishedItem,
  moment: PublishMoment,
): PublishedItem[] {
  if (minifig === null) return [];
  const shared: Evidence = { ...set.evidence, sharedWith: { kind: 'set', number } };
  const isSold = conditions.some((condition) => (shared[condition]?.sales.ever ?? 0) > 0);
  // A minifig has no value without a sale.
  const evidence = isSold ? shared : { ...shared, sealed: null, used: null };
  const item = minifigItem(minifig, evidence, moment);
  // The set has the scores and checkpoints of both, and is due for both.
  return [{ ...item, scores: [], checkpoints: [], checkpointTimes: [], dueAt: null }];
}

type MinifigItem = Omit<PublishedItem, 'scores' | 'checkpoints' | 'checkpointTimes' | 'dueAt'>;

function minifigItem(
  inputs: MinifigInputs,
  evidence: Evidence,
  { at, history }: PublishMoment,
): MinifigItem {
  const facts = minifigFacts(inputs);
  const value = evidence.used;
  return {
    id: inputs.id,
    version: inputs.version,
    at,
    body: writeMinifig(minifigDocument(inputs, facts, value)),
    searchRow: writeMinifigSearch(minifigSearchResult(inputs.number, facts)),
    search: minifigSearchFacts(inputs, { facts, value, at }),
    name: facts.name,
    theme: null,
    itemClass: null,
    minifigsCount: null,
    upcKey: null,
    eanKey: null,
    newCents: evidence.sealed?.valueCents ?? null,
    usedCents: value?.valueCents ?? null,
    series: noSeries,
    retail: null,
    deals: [],
    evidence,
    events: eventFacts({
      evidence,
      series: noSeries,
      history,
      at,
      statusId: null,
      retail: null,
    }),
    outlook: minifigOutlook(inputs, { facts, evidence, at }),
    dealScores: [],
  };
}

const noSeries = { sealed: null, used: null };

/** A value drifts with time, so it is recomputed at least this often. */
const driftMs = 7 * dayMs;

/** When the value changes with time alone. */
function valueChanges(
  valuation: Pick<SetValuation | MinifigValuation, 'changesAt' | 'evidence'>,
  at: number,
): (number | null)[] {
  const { sealed, used } = valuation.evidence;
  return [valuation.changesAt, sealed || used ? at + driftMs : null];
}

/** The earliest future time. There always is one: the next month has new parameters. */
function nextChange(changes: readonly (number | null)[], at: number): number {
  return changes.reduce<number>(
    (next, change) => (change !== null && change > at ? Math.min(next, change) : next),
    Math.min(nextMonthCut(at), nextMonthStart(at)),
  );
}

/** Serializes a document after validating it against the contract. */
function checkedWriter<T extends TSchema>(schema: T): (document: Static<T>) => string {
  const findValidator = lazy(() => Compile(schema));
  return (document) => {
    const validator = findValidator();
    if (!validator.Check(document)) {
      const [, [error]] = validator.Errors(document);
      throw new Error(
        `A document breaks the contract at '${error?.instancePath}': ${error?.message}.`,
      );
    }
    return JSON.stringify(document);
  };
}
