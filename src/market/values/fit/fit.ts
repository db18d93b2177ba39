/**
 * Learns parameters across items, month by month: channel offsets, priors, and quantiles of errors.
 * The parameters of a month depend on sales of earlier months only.
 */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { at } from '../../../kernel/at.ts';
import {
  dayMs,
  dayOf,
  type Month,
  monthOf,
  monthStart,
  yearsBetween,
} from '../../../kernel/time.ts';
import type { ChannelShares } from '../../evidence/evidence.ts';
import { type Condition, conditions } from '../../source-rows/source-rows.ts';
import { Fold, type TestedSale } from '../engine/fold.ts';
import { ParameterTimeline, storeParameters } from '../engine/parameter-timeline.ts';
import type { ChannelName, Parameters } from '../engine/parameters.ts';
import { channelShares, type RateTable, rateOf, type SupplyTable } from '../engine/rate.ts';
import { minifigSubject, type Subject, setSubject } from '../engine/subject.ts';
import type {
  Learner,
  LearnOptions,
  MinifigToValue,
  MinifigValuationFacts,
  SetToValue,
  StoredParameters,
  ValuationFacts,
} from '../estimator.ts';
import { type Candidate, LearnedItems } from '../learned-items.ts';
import type { ItemListings } from '../listings.ts';
import { fitMinifigPrior, type MinifigExample } from '../prior/minifig-prior.ts';
import { fitSetPrior, type SetExample } from '../prior/set-prior.ts';
import { fitUnpricedPrior } from '../prior/unpriced-prior.ts';
import {
  defaultMinifigRatio,
  defaultUsedRatio,
  fitUsedRatio,
  type UsedRatioExample,
  usedRatioAt,
} from '../prior/used-ratio.ts';
import { ChannelPairs } from './channel-pairs.ts';
import { GrowthExamples } from './growth.ts';
import { type ItemMedian, itemMedians, type Medians, type SharedSubject } from './item-medians.ts';
import { CurrencyCounts } from './main-currency.ts';
import { RateCounts } from './rate-priors.ts';
import { type SharedItem, saleShares } from './sale-shares.ts';
import { SeasonCounts } from './season.ts';
import { SupplyCounts } from './supply.ts';
import { TestedErrors } from './tested-errors.ts';

/** Minimum sales of an item for priors, and per condition for ratios. */
const priorSalesMin = 2;
const ratioSalesMin = 3;

/** Items processed between two pauses. */
const foldsPerPause = 250;
const itemsPerPause = 1_000;

/** Sample size per kind: more items would take memory and teach little. */
export const learnedItemsMax = 3_000;

/** Sample size for sales rates. */
const ratedItemsMax = 1_000;

interface Learned<Facts> extends Candidate, SharedItem {
  readonly facts: Facts;
  readonly listings: ItemListings | null;
}

function learned<Facts>(subject: Subject, given: Omit<Learned<Facts>, 'subject' | 'firstSoldAt'>) {
  return { subject, ...given, firstSoldAt: subject.rows[0]?.at ?? Number.POSITIVE_INFINITY };
}

/** Collects items, then learns from all their rows. */
export class Fit implements Learner {
  readonly #sets: Learned<ValuationFacts>[] = [];
  readonly #minifigs: Learned<MinifigValuationFacts>[] = [];

  constructor(private readonly max = learnedItemsMax) {}

  addSet(set: SetToValue, rank: number, listings: ItemListings | null = null): void {
    const { facts } = set;
    this.#sets.push(learned(setSubject(set), { facts, theme: facts.theme, rank, listings }));
  }

  addMinifig(minifig: MinifigToValue, rank: number, listings: ItemListings | null = null): void {
    const { facts } = minifig;
    const subject = minifigSubject(minifig);
    this.#minifigs.push(learned(subject, { facts, theme: facts.category, rank, listings }));
  }

  /** Null without sales. */
  firstMonth(): Month | null {
    const items = [...this.#sets, ...this.#minifigs];
    const first = items.reduce((least, item) => Math.min(least, item.firstSoldAt), Infinity);
    return first === Infinity ? null : monthOf(first);
  }

  /** Month by month: sales are tested with the parameters learned from earlier months. */
  async learn({ frozen, from, to, pause }: LearnOptions): Promise<StoredParameters[]> {
    const timeline = new ParameterTimeline(frozen.filter(({ month }) => month < from));
    const errors = new TestedErrors();
    const chosen = this.#choose();
    const folded = [...this.#sets, ...this.#minifigs].map((item): Folded => {
      const { subject } = item;
      const onSale = (tested: TestedSale) => {
        // Errors of a month are learned from in the following months.
        if (chosen.has(item, monthOf(tested.row.at) + 1)) errors.add(subject.kind, tested);
      };
      const options = { knownBefore: null, skipsHash: true, onSale };
      return { item, fold: new Fold(subject, timeline, options) };
    });
    const byKind = { set: ofKind(folded, 'set'), minifig: ofKind(folded, 'minifig') };
    const parametersMade: StoredParameters[] = [];
    for (let month = from; month <= to; month++) {
      for (const [index, { fold }] of folded.entries()) {
        fold.runTo(monthStart(month) - 1);
        if (index % foldsPerPause === 0) await pause?.();
      }
      const learnedHere = await this.#learnMonth(month, { chosen, pause });
      const isRated = ({ item }: Folded) => chosen.isRated(item, month);
      const rated = { set: byKind.set.filter(isRated), minifig: byKind.minifig.filter(isRated) };
      const rates = learnRates(rated, monthStart(month));
      // Only the latest counts are known, and only the latest month needs them.
      const supply = month === to ? learnSupply(rated, rates, monthStart(month)) : null;
      const parameters = {
        ...learnedHere,
        ranges: errors.ranges(month),
        rates: supply ? { ...rates, supply } : rates,
      };
      const stored = storeParameters(month, parameters);
      timeline.add(month, { version: stored.version, parameters });
      parametersMade.push(stored);
      await pause?.();
    }
    return parametersMade;
  }

  #choose(): Chosen {
    const pairs = new ChannelPairs();
    const currencies = new CurrencyCounts();
    const has = this.#among(this.max);
    const items = [...this.#sets, ...this.#minifigs];
    const shares = new Map<Subject, Float64Array>();
    for (const [index, of] of saleShares(items, (item, month) => has(item, month + 1)).entries()) {
      const { subject } = at(items, index);
      pairs.add(subject, of.ofMarket);
      currencies.add(subject.rows, of.ofMarket);
      shares.set(subject, of.ofTheme);
    }
    const shared = (subject: Subject) => ({ subject, shares: shares.get(subject) ?? noShares });
    const isRated = this.#among(Math.min(this.max, ratedItemsMax));
    return { pairs, currencies, shared, has, isRated };
  }

  /** Whether an item is in the sample of a month. */
  #among(max: number): Chosen['has'] {
    const sets = new LearnedItems(this.#sets, max);
    const minifigs = new LearnedItems(this.#minifigs, max);
    return (item, month) => (item.subject.kind === 'set' ? sets : minifigs).has(item, month);
  }

  async #learnMonth(month: Month, work: Work): Promise<Omit<Parameters, 'ranges' | 'rates'>> {
    const sets = await this.#learnSets(month, work);
    const minifigs = await this.#learnMinifigs(month, work);
    const mainCurrency = work.chosen.currencies.main(month);
    return {
      prior: { set: sets.prior, unpricedSet: sets.unpricedPrior, minifig: minifigs.prior },
      usedRatio: { set: sets.usedRatio, minifig: minifigs.usedRatio },
      offsets: { set: sets.offsets, minifig: minifigs.offsets },
      growth: { set: sets.growth, minifig: minifigs.growth },
      offsetPairs: {
        set: work.chosen.pairs.counts('set', month),
        minifig: work.chosen.pairs.counts('minifig', month),
      },
      ...(mainCurrency !== 'USD' && { mainCurrency }),
    };
  }

  async #learnSets(month: Month, { chosen, pause }: Work) {
    const offsets = chosen.pairs.offsets('set', month);
    const grown = new GrowthExamples();
    const examples: SetExample[] = [];
    const ratios: UsedRatioExample[] = [];
    for (const [index, item] of this.#sets.entries()) {
      if (index % itemsPerPause === 0) await pause?.();
      if (!chosen.has(item, month)) continue;
      const { facts } = item;
      const shared = chosen.shared(item.subject);
      const { sealed, used } = itemMedians(shared, { month, offsets });
      grown.add(shared, { sealed, used }, { month, offsets });
      examples.push(...setExamples(facts, { sealed, used }));
      if (sealed && used) addRatio(ratios, facts, { sealed, used });
    }
    return {
      offsets,
      growth: grown.growth(),
      prior: fitSetPrior(examples),
      unpricedPrior: fitUnpricedPrior(examples),
      usedRatio: fitUsedRatio(ratios),
    };
  }

  async #learnMinifigs(month: Month, { chosen, pause }: Work) {
    const offsets = chosen.pairs.offsets('minifig', month);
    const grown = new GrowthExamples();
    const examples: MinifigExample[] = [];
    const ratios: UsedRatioExample[] = [];
    for (const [index, item] of this.#minifigs.entries()) {
      if (index % itemsPerPause === 0) await pause?.();
      if (!chosen.has(item, month)) continue;
      const { facts } = item;
      const shared = chosen.shared(item.subject);
      const { sealed, used } = itemMedians(shared, { month, offsets });
      grown.add(shared, { sealed, used }, { month, offsets });
      if (!used || used.sales < priorSalesMin) continue;
      examples.push({ facts, at: used.at, log: used.log });
      if (sealed) addRatio(ratios, facts, { sealed, used });
    }
    const usedRatio = fitUsedRatio(ratios, defaultMinifigRatio);
    const prior = fitMinifigPrior(examples);
    return { offsets, growth: grown.growth(), prior, usedRatio };
  }
}

/** None without sales. A single sale, or used ones, are evidence of the level of prices only. */
function setExamples(facts: ValuationFacts, { sealed, used }: Medians): SetExample[] {
  if (sealed) {
    const { at, log, sales } = sealed;
    return [{ facts, at, log, isLevelOnly: sales < priorSalesMin }];
  }
  if (!used) return [];
  const ratio = usedRatioAt(defaultUsedRatio, facts.releasedAt, used.at);
  return [{ facts, at: used.at, log: used.log - ratio, isLevelOnly: true }];
}

const noShares = new Float64Array(0);

/** The items sampled for each month, with their channel pairs and currencies. */
interface Chosen {
  readonly pairs: ChannelPairs;
  readonly currencies: CurrencyCounts;
  /** With the effective sales in its theme. */
  shared(subject: Subject): SharedSubject;
  has(item: Learned<unknown>, month: Month): boolean;
  /** Whether it is in the smaller sample for sales rates. */
  isRated(item: Learned<unknown>, month: Month): boolean;
}

interface Work {
  readonly chosen: Chosen;
  readonly pause: LearnOptions['pause'];
}

interface Folded {
  readonly item: Learned<unknown>;
  readonly fold: Fold;
}

/** One in a hundred items may have a sale before observation started, such as a wrong date. */
const earlyShare = 0.01;

/** In order of first sale. */
function ofKind(folded: readonly Folded[], kind: ItemKind): Folded[] {
  return folded
    .filter(({ item }) => item.subject.kind === kind)
    .sort((a, b) => a.item.firstSoldAt - b.item.firstSoldAt);
}

/** Learns priors of sales rates from the accepted sales of the folds. */
function learnRates(rated: Readonly<Record<ItemKind, readonly Folded[]>>, at: number): RateTable {
  const since = { set: seenSince(rated.set), minifig: seenSince(rated.minifig) };
  const counts = new RateCounts(at);
  const seasons = new SeasonCounts(Math.max(since.set ?? 0, since.minifig ?? 0), at);
  for (const { item, fold } of [...rated.set, ...rated.minifig]) {
    for (const condition of conditions) {
      const selling = fold.selling(condition);
      counts.add(selling, item.firstSoldAt, since[fold.subject.kind]);
      seasons.add(selling.times);
    }
  }
  const season = seasons.season();
  return {
    since,
    priors: counts.priors(),
    shares: { set: sharesOf(rated.set), minifig: sharesOf(rated.minifig) },
    ...(season && { season }),
  };
}

/** Null if units for sale were counted for too few items. */
function learnSupply(
  rated: Readonly<Record<ItemKind, readonly Folded[]>>,
  rates: RateTable,
  at: number,
): SupplyTable | null {
  const counts = new SupplyCounts(at);
  for (const { item, fold } of [...rated.set, ...rated.minifig]) {
    if (item.listings === null) continue;
    for (const condition of conditions) {
      const selling = fold.selling(condition);
      counts.add(selling, item.listings[condition], rateOf(selling, at, rates));
    }
  }
  return counts.table();
}

function sharesOf(folded: readonly Folded[]): ChannelShares {
  const counts = new Map<ChannelName, number>();
  for (const { fold } of folded) {
    for (const [channel, sales] of fold.tally.channels) {
      counts.set(channel, (counts.get(channel) ?? 0) + sales);
    }
  }
  return channelShares(counts) ?? {};
}

/** The day by which `earlyShare` of the items had their first sale. */
function seenSince(folded: readonly Folded[]): number | null {
  const first = folded[Math.floor(earlyShare * folded.length)];
  return first ? dayOf(first.item.firstSoldAt) * dayMs : null;
}

/** Adds the ratio of used to new, if both sold and the age is known. */
function addRatio(
  ratios: UsedRatioExample[],
  { releasedAt }: { readonly releasedAt: number | null },
  { sealed, used }: Readonly<Record<Condition, ItemMedian>>,
): void {
  if (releasedAt === null || Math.min(sealed.sales, used.sales) < ratioSalesMin) return;
  const years = Math.max(0, yearsBetween(releasedAt, (sealed.at + used.at) / 2));
  ratios.push({ years, log: used.log - sealed.log });
}
