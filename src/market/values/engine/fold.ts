/**
 * Robust Kalman filter over the sales of an item, in order of time. Between sales the value is a
 * random walk with drift; each sale updates it, with less weight if its error is large; outliers
 * are quarantined until other sales confirm them. A pure function of rows and frozen parameters.
 */

import { dayMs, type Month, monthOf, weekStart } from '../../../kernel/time.ts';
import { type Condition, conditions } from '../../source-rows/source-rows.ts';
import { EarlierRowsNeeded } from '../checkpoint.ts';
import type { Estimate } from '../prior/prior.ts';
import { firstSaleIn, latestLearned, type Row, wasLearned, weighIn } from './admit.ts';
import type { PricedSale, SellingPace } from './agreement.ts';
import type { CheckpointKeeper, RowsBefore, Start } from './checkpoint.ts';
import { engineVersion } from './engine-version.ts';
import { Belief, type Side } from './filter.ts';
import { addSale, InputHash } from './input-hash.ts';
import type { QuarantinedSale } from './level-test.ts';
import { type MonthTerms, monthTerms } from './month-terms.ts';
import { type OwnPrice, ownPriceAt, withOwnPrice } from './own-price.ts';
import type { NamedParameters, ParameterTimeline } from './parameter-timeline.ts';
import type { Motion } from './range.ts';
import type { SellingItem } from './rate.ts';
import { SaleTrack } from './sale-track.ts';
import { SellerSales } from './seller-sales.ts';
import { Sellers } from './sellers.ts';
import type { Subject } from './subject.ts';
import { Tally } from './tally.ts';

/** Sales with a larger standardized error are outliers. */
const oddErrors = 4;

/** So are sales this far (log) from a value with at most this spread and at least these sales. */
const oddLog = 0.8;
const establishedSpread = 0.25;
const establishedSales = 3;

/** Above this standardized error, the noise of a sale is scaled up in proportion to the error. */
const fullErrorMax = 1.3;

/** Standard deviation (log) added by a CUSUM alarm, and by a level shift. */
const alarmSpread = 0.2;
const shiftSpread = 0.35;

/** After a proven change, the variance grows faster for a while: prices may change again. */
const restless = { factor: 9, ms: 180 * dayMs };

/** Errors that add up to this in the alarms of both conditions are a sign of a fall. */
const fallingErrors = 3;

/** A diffuse prior, which the first sale nearly replaces. */
const unknown: Estimate = { log: Math.log(40_00), spread: 2 };

/** An admitted sale and its prediction error, before it updates the value. */
export interface TestedSale {
  readonly row: Row;
  /** Accepted sales in its condition within 180 days, rounded down to 0, 1, 3 or 10. */
  readonly support: number;
  readonly motion: Motion;
  /** Whether no sale of the item was accepted before, in any condition. */
  readonly isFirst: boolean;
  /** Innovation divided by its standard deviation for an ordinary sale. */
  readonly error: number;
}

export interface FoldOptions {
  /** Rows ingested at or after this instant are ignored; null: none. */
  readonly knownBefore: number | null;
  readonly skipsHash?: boolean;
  readonly keeper?: CheckpointKeeper;
  /** At the end of each month, from that of the first row or retail price. */
  onMonthEnd?(month: Month): void;
  /** For every admitted sale, including outliers, before the update. */
  onSale?(tested: TestedSale): void;
}

const allRows: FoldOptions = { knownBefore: null };

export class Fold {
  readonly subject: Subject;
  readonly tracks: Readonly<Record<Condition, SaleTrack>>;
  readonly tally = new Tally();
  belief: Belief | null = null;
  /** Whether there were sales, even rejected ones; those that wait for a rate do not count. */
  hasSales = false;
  /** Called after each row. */
  onRow: (() => void) | null = null;
  /** The current instant, and the parameters of its month. */
  at = 0;
  inForce: NamedParameters;
  readonly #timeline: ParameterTimeline;
  readonly #options: FoldOptions;
  readonly #hash = new InputHash();
  readonly #sellers = new Sellers();
  readonly #sellerSales = new SellerSales();
  /** In the order in which checkpoints have them. */
  readonly #parts = [this.tally, this.#hash, this.#sellers, this.#sellerSales];
  readonly #paces: Readonly<Record<Condition, SellingPace>>;
  #nextRow = 0;
  #nextKeep: number;
  #nextWeek = 0;
  /** Null until the first row or retail price. */
  #terms: MonthTerms | null = null;
  #own: OwnPrice | null = null;
  /** Of the value in the leading condition, and of the ratio. */
  #unrest: UnrestOfBoth = { a: noUnrest, r: noUnrest };

  constructor(subject: Subject, timeline: ParameterTimeline, options: FoldOptions = allRows) {
    this.subject = subject;
    this.#timeline = timeline;
    this.#options = options;
    this.inForce = timeline.at(0);
    const { sealed, used } = subject.saleSpread;
    this.tracks = { sealed: new SaleTrack(sealed), used: new SaleTrack(used) };
    this.#paces = { sealed: this.#paceOf('sealed'), used: this.#paceOf('used') };
    this.#hash.addText(engineVersion);
    subject.addFacts(this.#hash);
    if (subject.start) this.#continue(subject.start);
    const after = subject.start?.at ?? Number.NEGATIVE_INFINITY;
    this.#nextKeep = options.keeper?.nextAfter(after) ?? Number.POSITIVE_INFINITY;
  }

  /** The state after all rows before a checkpoint. */
  #continue({ month, learnedUntil, readState }: Start): void {
    const { knownBefore } = this.#options;
    if (knownBefore !== null && learnedUntil >= knownBefore) throw new EarlierRowsNeeded();
    const from = readState();
    this.at = from.number();
    this.inForce = this.#timeline.at(month);
    this.#terms = monthTerms(this.subject, this.inForce, month);
    this.hasSales = true;
    this.belief = Belief.read(from);
    for (const condition of conditions) this.tracks[condition].read(from);
    for (const part of this.#parts) part.read(from);
    const readUnrest = () => ({ until: from.number(), share: from.number() });
    this.#unrest = { a: readUnrest(), r: readUnrest() };
  }

  /**
   * Makes the checkpoints up to an instant. None before the first accepted sale, so that the
   * retailer's own prices have no effect after one.
   */
  #keep(until: number): void {
    const { keeper } = this.#options;
    while (keeper && this.#nextKeep <= until) {
      const { belief } = this;
      if (belief) {
        // No further than to the start of a month: another stop would round differently.
        const { month } = this.#passMonths(this.#nextKeep);
        keeper.keep(this.#nextKeep, this.#rowsBefore(month), (to) => {
          to.number(this.at);
          belief.write(to);
          for (const condition of conditions) this.tracks[condition].write(to, this.at);
          for (const part of this.#parts) part.write(to);
          for (const { until, share } of [this.#unrest.a, this.#unrest.r]) {
            to.number(until);
            to.number(share);
          }
        });
      }
      this.#nextKeep = keeper.nextAfter(this.#nextKeep);
    }
  }

  #rowsBefore(month: Month): RowsBefore {
    const { rows, start } = this.subject;
    const before = rows.slice(0, this.#nextRow);
    return {
      rows: (start?.rows ?? 0) + before.length,
      month,
      learnedUntil: latestLearned(before, start),
      firstSaleAt: {
        sealed: firstSaleIn(before, 'sealed', { start, knownBefore: null }),
        used: firstSaleIn(before, 'used', { start, knownBefore: null }),
      },
    };
  }

  #paceOf(condition: Condition): SellingPace {
    const [track, sellers] = [this.tracks[condition], this.#sellers];
    return {
      expectedSales: (from, to) => track.expectedSales(from, to),
      get sellers() {
        return sellers.count;
      },
    };
  }

  /** Processes rows up to an instant; can be called repeatedly with later instants. */
  runTo(until: number): this {
    const { rows } = this.subject;
    for (let row = rows[this.#nextRow]; row && row.at <= until; row = rows[++this.#nextRow]) {
      if (row.at >= this.#nextKeep) this.#keep(row.at);
      if (!wasLearned(row, this.#options.knownBefore)) continue;
      if (!(row.sale.usdPerUnit > 0)) {
        this.#countWaiting(row);
        continue;
      }
      this.#takeWeeks(row.at);
      this.#advance(row.at);
      this.#takeRow(row);
      this.onRow?.();
    }
    this.#keep(until);
    this.#takeWeeks(until);
    if (this.#terms) this.#advance(until);
    else this.#setTime(until);
    return this;
  }

  /** A hash of everything that the state depends on. */
  inputHash(): number {
    if (this.#terms) return this.#hash.value();
    const hash = this.#hash.copy();
    hash.addText(this.inForce.version);
    return hash.value();
  }

  /** Sets the instant and the parameters of its month, without drift. */
  #setTime(at: number): void {
    this.at = at;
    this.inForce = this.#timeline.at(monthOf(at));
  }

  /** Until the first sale, the retailer's own price is evidence while the set is in production. */
  #takeWeeks(until: number): void {
    const { weeks, retiredAt } = this.subject;
    for (let week = weeks[this.#nextWeek]; week; week = weeks[++this.#nextWeek]) {
      const at = weekStart(week.week + 1);
      if (this.belief !== null || at > until) return;
      if (retiredAt !== null && retiredAt <= at) continue;
      this.#advance(at);
      this.#hash.addWord(week.week);
      this.#hash.add(week.priceCents);
      this.#own = ownPriceAt(at, week.priceCents);
      this.tally.retailWeeks++;
    }
  }

  /** Log value in a condition and its variance; null if unknown. */
  estimate(condition: Condition): { readonly log: number; readonly variance: number } | null {
    const side = this.#side(condition);
    return this.belief
      ? { log: this.belief.expectedLog(side), variance: this.belief.variance(side) }
      : this.#priorOf(side);
  }

  #priorOf(side: Side): { readonly log: number; readonly variance: number } | null {
    const prior = this.#priorNow();
    if (prior === null) return null;
    const ratio = this.subject.ratio(this.inForce.parameters, this.at);
    return side === 'lead'
      ? { log: prior.log, variance: prior.spread ** 2 }
      : { log: prior.log + ratio.log, variance: prior.spread ** 2 + ratio.spread ** 2 };
  }

  /** The accepted sales so far in a condition. */
  selling(condition: Condition): SellingItem {
    const { kind, releasedAt } = this.subject;
    const { ratedTimes: times, times: allTimes, firstAt } = this.tracks[condition];
    return { kind, condition, releasedAt, times, allTimes, firstAt, channels: this.tally.channels };
  }

  /** How the price in a condition moves, as far as sales show it. */
  motionOf(condition: Condition): Motion {
    const { a, r } = this.#unrest;
    const until = this.#side(condition) === 'lead' ? a.until : Math.max(a.until, r.until);
    if (until > this.at) return 'moved';
    const { sealed, used } = this.tracks;
    return sealed.alarm.fallen + used.alarm.fallen > fallingErrors ? 'falling' : 'steady';
  }

  /** Whether any sale was accepted, in any condition. */
  get wasSold(): boolean {
    return this.tracks.sealed.count + this.tracks.used.count > 0;
  }

  /** Advances month by month, since parameters and drift differ. */
  #advance(to: number): void {
    this.#drift(this.#passMonths(to), to);
  }

  /** Advances to the start of the month of an instant; returns the terms of that month. */
  #passMonths(to: number): MonthTerms {
    let terms = this.#terms ?? this.#enterMonth(monthOf(to), to);
    while (to >= terms.end) {
      this.#drift(terms, terms.end);
      this.#options.onMonthEnd?.(terms.month);
      for (const condition of conditions) this.tracks[condition].hasShifted = false;
      terms = this.#enterMonth(terms.month + 1, terms.end);
    }
    return terms;
  }

  #enterMonth(month: Month, at: number): MonthTerms {
    this.#setTime(at);
    this.#hash.addText(this.inForce.version);
    this.#terms = monthTerms(this.subject, this.inForce, month);
    const ratio = this.subject.ratio(this.inForce.parameters, at);
    // Without item-specific spread, the ratio is that of the month.
    if (this.belief && ratio.spread === 0) this.belief.r = ratio.log;
    return this.#terms;
  }

  #drift(terms: MonthTerms, to: number): void {
    const passed = to - this.at;
    if (passed > 0 && this.belief) {
      const { value, ratio } = terms.drift();
      const { aVariance, rVariance } = this.#grown(this.#unrest, this.at, to);
      this.belief.drift({ a: value * passed, r: ratio * passed, aVariance, rVariance });
    }
    this.at = to;
  }

  /** How the variances grow with time, as far as known now. */
  growth(): (from: number, to: number) => Grown {
    const unrest = this.#unrest;
    return (from, to) => this.#grown(unrest, from, to);
  }

  #grown({ a, r }: UnrestOfBoth, from: number, to: number): Grown {
    const { subject } = this;
    return {
      aVariance: subject.volatility * subject.volatileDays(from, to) + this.#restless(a, from, to),
      rVariance: (subject.ratioVolatility * (to - from)) / dayMs + this.#restless(r, from, to),
    };
  }

  #restless({ until, share }: Unrest, from: number, to: number): number {
    const days = Math.max(0, Math.min(to, until) - from) / dayMs;
    return share * (restless.factor - 1) * this.subject.volatility * days;
  }

  /**
   * A sale that waits for an exchange rate is counted, but is no input yet: when the rate arrives,
   * nothing changes for months that were final by then.
   */
  #countWaiting(row: Row): void {
    const rejection = this.#sellers.rejectionOf(row, this.#options.knownBefore);
    if (rejection) this.tally.reject(row, rejection);
  }

  #takeRow(row: Row): void {
    this.hasSales = true;
    const rejection = this.#sellers.rejectionOf(row, this.#options.knownBefore);
    if (!this.#options.skipsHash) addSale(this.#hash, row.sale, rejection);
    if (rejection) {
      this.tally.reject(row, rejection);
      return;
    }
    const count = this.#sellerSales.count(row);
    const log = row.log - this.inForce.parameters.offsets[this.subject.kind][row.channel];
    const track = this.tracks[row.condition];
    const expected = this.estimate(row.condition) ?? {
      log: unknown.log,
      variance: unknown.spread ** 2,
    };
    const error = log - expected.log;
    this.#options.onSale?.({
      row,
      support: track.supportAt(row.at),
      motion: this.motionOf(row.condition),
      isFirst: !this.wasSold,
      error: error / Math.sqrt(expected.variance + track.variance),
    });
    const weight = weighIn(row, this.inForce.parameters.mainCurrency ?? 'USD');
    const isOdd =
      Math.abs(error) > oddErrors * Math.sqrt(expected.variance + track.variance * weight.noise);
    const isFar = Math.abs(error) > oddLog && this.#isEstablished(expected.variance);
    if (isOdd || isFar) {
      this.#quarantine({ row, log, count, noise: weight.noise, sign: Math.sign(error) });
      return;
    }
    const rush = row.source === null ? 1 : 1 / count.share;
    const noise = weight.noise * Math.max(track.burstNoise(row.at), rush);
    const share = this.#learn({ row, log, count }, noise);
    this.tally.accept(row, share < fullShareMin ? 'same_seller_again' : weight.caution);
  }

  #isEstablished(variance: number): boolean {
    const { sealed, used } = this.tracks;
    const sales = sealed.count + used.count;
    return sales >= establishedSales && variance <= establishedSpread ** 2;
  }

  #side(condition: Condition): Side {
    return condition === this.subject.lead ? 'lead' : 'other';
  }

  /** Starts from the prior, or a diffuse one. */
  #startBelief(): Belief {
    if (this.belief) return this.belief;
    const ratio = this.subject.ratio(this.inForce.parameters, this.at);
    const prior = this.#priorNow() ?? unknown;
    this.belief = new Belief({
      a: prior.log,
      aVariance: prior.spread ** 2,
      r: ratio.log,
      rVariance: ratio.spread ** 2,
    });
    return this.belief;
  }

  /** Updates with a price, and returns the share of its weight that the seller was left. */
  #learn(sale: PricedSale, noise: number): number {
    const { row, log, count } = sale;
    const side = this.#side(row.condition);
    const track = this.tracks[row.condition];
    const belief = this.#startBelief();
    const noiseVariance = track.variance * noise;
    const error = log - belief.expectedLog(side);
    const measure = () => error / Math.sqrt(belief.variance(side) + noiseVariance);
    track.levels.noteSale(row.at, measure());
    if (track.alarm.add(sale, measure(), this.#paces[row.condition])) {
      this.#loosen(side, alarmSpread);
      this.tally.move(this.at, 'drift');
    }
    const trust = Math.min(1, fullErrorMax / Math.abs(measure()));
    const variance = belief.variance(side);
    const total = variance + noiseVariance / trust ** 2;
    const limit = (fullErrorMax * variance) / Math.sqrt(variance + noiseVariance);
    const move = { log: (variance * error) / total, limit };
    const share = this.#sellers.shareOf(row, count.sellersMax, move);
    if (share > 0) belief.learn(side, error, total / share - variance);
    track.learnScatter(error, variance, noise);
    track.accept(row.at, count);
    return share;
  }

  /** Updates with a price that is part of a proven level, at full weight. */
  #learnLevel({ row, log, count, noise }: QuarantinedSale): void {
    const side = this.#side(row.condition);
    const track = this.tracks[row.condition];
    const belief = this.#startBelief();
    const variance = belief.variance(side);
    const error = log - belief.expectedLog(side);
    const noiseVariance = track.variance * noise;
    track.levels.noteSale(row.at, error / Math.sqrt(variance + noiseVariance));
    belief.learn(side, error, noiseVariance);
    track.learnScatter(error, variance, noise);
    track.accept(row.at, count);
  }

  /** Quarantines an outlier, and releases it once other sales prove its level. */
  #quarantine(sale: QuarantinedSale): void {
    this.tally.quarantine(sale.row);
    const track = this.tracks[sale.row.condition];
    const agreeing = track.levels.quarantine(sale, this.#paces[sale.row.condition]);
    if (agreeing.length === 0) return;
    track.hasShifted = true;
    track.alarm.reset();
    this.#startBelief();
    this.#loosen(this.#side(sale.row.condition), shiftSpread);
    this.tally.move(this.at, 'level');
    for (const held of agreeing) {
      this.tally.release(held.row);
      this.tally.accept(held.row, 'new_level');
      this.#learnLevel(held);
    }
  }

  /**
   * Adds variance after a change in one condition. For the other condition, the variance goes to
   * the ratio if the leading one has recent sales, and half to each otherwise.
   */
  #loosen(side: Side, spread: number): void {
    const { subject, tracks, at } = this;
    const hasFixedRatio = subject.ratio(this.inForce.parameters, at).spread === 0;
    const isSupported = tracks[subject.lead].supportAt(at) > 0;
    const share = side === 'lead' || hasFixedRatio ? 1 : isSupported ? 0 : 0.5;
    const variance = spread ** 2;
    const until = at + restless.ms;
    const { a, r } = this.#unrest;
    this.#unrest = {
      a: share > 0 ? { until, share } : a,
      r: share < 1 ? { until, share: 1 - share } : r,
    };
    this.belief?.loosen({ aVariance: share * variance, rVariance: (1 - share) * variance });
  }

  /** The prior from facts, combined with a recent retail price. */
  #priorNow(): Estimate | null {
    const prior = this.subject.prior(this.inForce.parameters, this.at);
    return withOwnPrice(prior, this.#own, this.at);
  }
}

type Grown = Pick<Parameters<Belief['drift']>[0], 'aVariance' | 'rVariance'>;

/** Until when a variance grows faster, and its share of that. */
interface Unrest {
  readonly until: number;
  readonly share: number;
}

interface UnrestOfBoth {
  readonly a: Unrest;
  readonly r: Unrest;
}

const noUnrest: Unrest = { until: 0, share: 0 };

/** With a smaller share, a sale counts as one of a repeated seller. */
const fullShareMin = 0.5;
