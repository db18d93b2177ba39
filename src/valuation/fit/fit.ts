/**
 * Learning across items, month by month: what channels differ by, what items are worth before they
 * are sold, and how far sales are from what was expected of them. The parameters of a month are
 * learned from the sales of earlier months only.
 */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import {
  dayMs,
  dayOf,
  type Month,
  monthOf,
  monthStart,
  yearsBetween,
} from '../../domain/kernel/time.ts';
import type {
  Learner,
  LearnOptions,
  MinifigToValue,
  MinifigValuationFacts,
  SetToValue,
  StoredParameters,
  ValuationFacts,
} from '../../domain/market/estimator.ts';
import { type Candidate, LearnedItems } from '../../domain/market/learned-items.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import { Fold, type TestedSale } from '../engine/fold.ts';
import { ParameterTimeline, storeParameters } from '../engine/parameter-timeline.ts';
import type { Parameters } from '../engine/parameters.ts';
import type { RateTable } from '../engine/rate.ts';
import { minifigSubject, type Subject, setSubject } from '../engine/subject.ts';
import { fitMinifigPrior, type MinifigExample } from '../prior/minifig-prior.ts';
import { fitSetPrior, type SetExample } from '../prior/set-prior.ts';
import { fitUnpricedPrior } from '../prior/unpriced-prior.ts';
import { defaultMinifigRatio, fitUsedRatio, type UsedRatioExample } from '../prior/used-ratio.ts';
import { ChannelPairs } from './channel-pairs.ts';
import { type ItemMedian, itemMedian } from './item-medians.ts';
import { RateCounts } from './rate-priors.ts';
import { TestedErrors } from './tested-errors.ts';

/** An item counts for a prior from so many sales on, and for a ratio from so many of each. */
const priorSalesMin = 2;
const ratioSalesMin = 3;

/** So many items are gone through, or looked at, between two pauses. */
const foldsPerPause = 25;
const itemsPerPause = 1_000;

/** A month is learned from so many items of a kind: more would take memory, and teach little. */
export const learnedItemsMax = 3_000;

/** How often things sell is learned from so many of them. */
const ratedItemsMax = 1_000;

/** An item on its way into what is learned. */
interface Learned<Facts> extends Candidate {
  readonly subject: Subject;
  readonly facts: Facts;
}

function learned<Facts>(subject: Subject, facts: Facts, rank: number): Learned<Facts> {
  return { subject, facts, rank, firstSoldAt: subject.rows[0]?.at ?? Number.POSITIVE_INFINITY };
}

/** Collects items, then learns. All rows that are given count. */
export class Fit implements Learner {
  readonly #max: number;
  readonly #sets: Learned<ValuationFacts>[] = [];
  readonly #minifigs: Learned<MinifigValuationFacts>[] = [];

  constructor(max = learnedItemsMax) {
    this.#max = max;
  }

  addSet(set: SetToValue, rank: number): void {
    this.#sets.push(learned(setSubject(set), set.facts, rank));
  }

  addMinifig(minifig: MinifigToValue, rank: number): void {
    this.#minifigs.push(learned(minifigSubject(minifig), minifig.facts, rank));
  }

  /** The month of the first sale; null without any. */
  firstMonth(): Month | null {
    const starts = [...this.#sets, ...this.#minifigs].flatMap(
      ({ subject }) => subject.rows[0]?.at ?? [],
    );
    return starts.length === 0 ? null : monthOf(starts.reduce((a, b) => Math.min(a, b)));
  }

  /** Month by month: what is learned for one is what the sales of that month are tested with. */
  async learn({ frozen, from, to, pause }: LearnOptions): Promise<StoredParameters[]> {
    const timeline = new ParameterTimeline(frozen.filter(({ month }) => month < from));
    const errors = new TestedErrors();
    const chosen = this.#choose();
    const folded = [...this.#sets, ...this.#minifigs].map((item): Folded => {
      const { subject } = item;
      const onSale = (tested: TestedSale) => {
        // What happens in a month is for the next ones to learn from.
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
      const parameters = {
        ...learnedHere,
        ranges: errors.ranges(month),
        rates: learnRates(rated, monthStart(month)),
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
    const has = this.#among(this.#max);
    for (const item of [...this.#sets, ...this.#minifigs]) {
      pairs.add(item.subject, (month) => has(item, month + 1));
    }
    return { pairs, has, isRated: this.#among(Math.min(this.#max, ratedItemsMax)) };
  }

  /** Whether an item is among the so many that a month is learned from. */
  #among(max: number): Chosen['has'] {
    const sets = new LearnedItems(this.#sets, max);
    const minifigs = new LearnedItems(this.#minifigs, max);
    return (item, month) => (item.subject.kind === 'set' ? sets : minifigs).has(item, month);
  }

  async #learnMonth(month: Month, work: Work): Promise<LearnedHere> {
    const sets = await this.#learnSets(month, work);
    const minifigs = await this.#learnMinifigs(month, work);
    return {
      prior: { set: sets.prior, unpricedSet: sets.unpricedPrior, minifig: minifigs.prior },
      usedRatio: { set: sets.usedRatio, minifig: minifigs.usedRatio },
      offsets: { set: sets.offsets, minifig: minifigs.offsets },
      offsetPairs: {
        set: work.chosen.pairs.counts('set', month),
        minifig: work.chosen.pairs.counts('minifig', month),
      },
    };
  }

  async #learnSets(month: Month, { chosen, pause }: Work) {
    const offsets = chosen.pairs.offsets('set', month);
    const examples: SetExample[] = [];
    const ratios: UsedRatioExample[] = [];
    for (const [index, item] of this.#sets.entries()) {
      if (index % itemsPerPause === 0) await pause?.();
      if (!chosen.has(item, month)) continue;
      const { subject, facts } = item;
      const sealed = itemMedian(subject, 'sealed', { month, offsets });
      if (!sealed || sealed.sales < priorSalesMin) continue;
      examples.push({ facts, at: sealed.at, log: sealed.log });
      const used = itemMedian(subject, 'used', { month, offsets });
      if (used) addRatio(ratios, facts, { sealed, used });
    }
    return {
      offsets,
      prior: fitSetPrior(examples),
      unpricedPrior: fitUnpricedPrior(examples),
      usedRatio: fitUsedRatio(ratios),
    };
  }

  async #learnMinifigs(month: Month, { chosen, pause }: Work) {
    const offsets = chosen.pairs.offsets('minifig', month);
    const examples: MinifigExample[] = [];
    const ratios: UsedRatioExample[] = [];
    for (const [index, item] of this.#minifigs.entries()) {
      if (index % itemsPerPause === 0) await pause?.();
      if (!chosen.has(item, month)) continue;
      const { subject, facts } = item;
      const used = itemMedian(subject, 'used', { month, offsets });
      if (!used || used.sales < priorSalesMin) continue;
      examples.push({ facts, at: used.at, log: used.log });
      const sealed = itemMedian(subject, 'sealed', { month, offsets });
      if (sealed) addRatio(ratios, facts, { sealed, used });
    }
    const usedRatio = fitUsedRatio(ratios, defaultMinifigRatio);
    return { offsets, prior: fitMinifigPrior(examples), usedRatio };
  }
}

/** Which items count in which month, and what channels differ by. */
interface Chosen {
  readonly pairs: ChannelPairs;
  has(item: Learned<unknown>, month: Month): boolean;
  /** Whether how often things sell is learned from it, too. */
  isRated(item: Learned<unknown>, month: Month): boolean;
}

interface Work {
  readonly chosen: Chosen;
  readonly pause: LearnOptions['pause'];
}

/** What is learned of a month besides errors and rates. */
type LearnedHere = Omit<Parameters, 'ranges' | 'rates'>;

/** An item with its fold. */
interface Folded {
  readonly item: Learned<unknown>;
  readonly fold: Fold;
}

/** One item in a hundred may have a sale from before sales were seen: a wrong date, a rare find. */
const earlyShare = 0.01;

/** Items of one kind, in order of sale. */
function ofKind(folded: readonly Folded[], kind: ItemKind): Folded[] {
  return folded
    .filter(({ item }) => item.subject.kind === kind)
    .sort((a, b) => a.item.firstSoldAt - b.item.firstSoldAt);
}

/** How often things sell, as it is known at an instant that the folds have reached. */
function learnRates(rated: Readonly<Record<ItemKind, readonly Folded[]>>, at: number): RateTable {
  const since = { set: seenSince(rated.set), minifig: seenSince(rated.minifig) };
  const counts = new RateCounts(at);
  for (const { item, fold } of [...rated.set, ...rated.minifig]) {
    for (const condition of conditions) {
      counts.add(fold.selling(condition), item.firstSoldAt, since[fold.subject.kind]);
    }
  }
  return { since, priors: counts.priors() };
}

/** The day by which the earliest share of items, in order of sale, had been sold. */
function seenSince(folded: readonly Folded[]): number | null {
  const first = folded[Math.floor(earlyShare * folded.length)];
  return first ? dayOf(first.item.firstSoldAt) * dayMs : null;
}

/** Adds what a used item was worth beside a new one, where both sold and its age is known. */
function addRatio(
  ratios: UsedRatioExample[],
  { releasedAt }: { readonly releasedAt: number | null },
  { sealed, used }: Readonly<Record<Condition, ItemMedian>>,
): void {
  if (releasedAt === null || Math.min(sealed.sales, used.sales) < ratioSalesMin) return;
  const years = Math.max(0, yearsBetween(releasedAt, (sealed.at + used.at) / 2));
  ratios.push({ years, log: used.log - sealed.log });
}
