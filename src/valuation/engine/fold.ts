/**
 * The fold: an item's sales in order of time, gone through once. Between sales values drift and
 * become less certain; a sale moves them by as much as it can be believed; one that does not fit at
 * all is put aside until others agree with it. A pure function of rows and frozen parameters.
 */

import { dayMs, type Month, monthOf, weekStart } from '../../domain/kernel/time.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import type { Estimate } from '../prior/prior.ts';
import { type Rejection, type Row, wasLearned, wasTakenBack } from './admit.ts';
import { engineVersion } from './engine-version.ts';
import { Belief, type Side } from './filter.ts';
import { addSale, InputHash } from './input-hash.ts';
import { type MonthTerms, monthTerms } from './month-terms.ts';
import { type OwnPrice, ownPriceAt, withOwnPrice } from './own-price.ts';
import type { NamedParameters, ParameterTimeline } from './parameter-timeline.ts';
import type { SellingItem } from './rate.ts';
import { type Price, type QuarantinedSale, SaleTrack } from './sale-track.ts';
import { Sellers } from './sellers.ts';
import type { Subject } from './subject.ts';
import { Tally } from './tally.ts';

/** A sale further off than this, by its own measure, does not fit. */
const oddErrors = 4;

/** Nor does one that is this far off (logarithm) where the value is known to this, by sales. */
const oddLog = 0.8;
const establishedSpread = 0.25;
const establishedSales = 3;

/** Errors above this count less and less. */
const fullErrorMax = 1.3;

/** How uncertain a value becomes when an alarm sounds, and when a new level is taken in. */
const alarmSpread = 0.2;
const shiftSpread = 0.35;

/** Of an item that nothing is known of, the first sale says nearly everything. */
const unknown: Estimate = { log: Math.log(40_00), spread: 2 };

/** A sale before it is taken in. */
export interface TestedSale {
  readonly row: Row;
  /** How many sales of its condition there were within 180 days, as far as that matters. */
  readonly support: number;
  /** Whether the item was never sold before, in any condition. */
  readonly isFirst: boolean;
  /** How far it was off, in proportion to what was to be expected of an ordinary sale. */
  readonly error: number;
}

/** Which rows to fold, and who is informed on the way. */
export interface FoldOptions {
  /** Rows learned of at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
  /** Nobody needs the hash of the inputs, so it is not made. */
  readonly skipsHash?: boolean;
  /** When a month has ended, from the month of the first row on. */
  onMonthEnd?(month: Month): void;
  /** For every sale that is admitted. */
  onSale?(tested: TestedSale): void;
}

/** Everything that is known. */
const allRows: FoldOptions = { knownBefore: null };

/** The state of an item while its rows are gone through. */
export class Fold {
  readonly subject: Subject;
  readonly tracks: Readonly<Record<Condition, SaleTrack>>;
  readonly tally = new Tally();
  belief: Belief | null = null;
  /** Called after each row. */
  onRow: (() => void) | null = null;
  /** The moment that the belief speaks of, and the parameters that are in force then. */
  at = 0;
  inForce: NamedParameters;
  readonly #timeline: ParameterTimeline;
  readonly #options: FoldOptions;
  readonly #hash = new InputHash();
  readonly #sellers = new Sellers();
  #nextRow = 0;
  #nextWeek = 0;
  /** Null until the first row. */
  #terms: MonthTerms | null = null;
  #own: OwnPrice | null = null;

  constructor(subject: Subject, timeline: ParameterTimeline, options: FoldOptions = allRows) {
    this.subject = subject;
    this.#timeline = timeline;
    this.#options = options;
    this.inForce = timeline.at(0);
    const { sealed, used } = subject.saleSpread;
    this.tracks = { sealed: new SaleTrack(sealed), used: new SaleTrack(used) };
    this.#hash.addText(engineVersion);
    subject.addFacts(this.#hash);
  }

  /** Goes through the rows up to an instant; goes on from there when it is called again. */
  runTo(until: number): this {
    const { rows } = this.subject;
    for (let row = rows[this.#nextRow]; row && row.at <= until; row = rows[++this.#nextRow]) {
      if (!wasLearned(row, this.#options.knownBefore)) continue;
      this.#takeWeeks(row.at);
      this.#advance(row.at);
      this.#takeRow(row);
      this.onRow?.();
    }
    this.#takeWeeks(until);
    if (this.#terms) this.#advance(until);
    else this.#setTime(until);
    return this;
  }

  /** A hash of everything that the belief depends on. */
  inputHash(): number {
    if (this.#terms) return this.#hash.value();
    const hash = this.#hash.copy();
    hash.addText(this.inForce.version);
    return hash.value();
  }

  /** Nothing has happened yet: what is known without any row counts. */
  #setTime(at: number): void {
    this.at = at;
    this.inForce = this.#timeline.at(monthOf(at));
  }

  /** Until the first sale, a retailer's own price says something while the set is made. */
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

  /** What a unit in a condition is believed to be worth now, with its variance; null: unknown. */
  estimate(condition: Condition): { readonly log: number; readonly variance: number } | null {
    const side = this.#side(condition);
    if (this.belief) {
      return { log: this.belief.expectedLog(side), variance: this.belief.variance(side) };
    }
    const prior = this.#priorNow();
    if (prior === null) return null;
    const ratio = this.subject.ratio(this.inForce.parameters, this.at);
    return side === 'lead'
      ? { log: prior.log, variance: prior.spread ** 2 }
      : { log: prior.log + ratio.log, variance: prior.spread ** 2 + ratio.spread ** 2 };
  }

  /** The item in one condition, as it has sold up to now. */
  selling(condition: Condition): SellingItem {
    const { kind, releasedAt } = this.subject;
    const { times } = this.tracks[condition];
    return { kind, condition, releasedAt, times };
  }

  /** Whether any sale was accepted, in any condition. */
  get wasSold(): boolean {
    return this.tracks.sealed.times.length + this.tracks.used.times.length > 0;
  }

  /** Time passes, month by month: each has its own parameters, and its own drift. */
  #advance(to: number): void {
    let terms = this.#terms ?? this.#enterMonth(monthOf(to), to);
    while (to >= terms.end) {
      this.#drift(terms, terms.end);
      this.#options.onMonthEnd?.(terms.month);
      for (const condition of conditions) this.tracks[condition].hasShifted = false;
      terms = this.#enterMonth(terms.month + 1, terms.end);
    }
    this.#drift(terms, to);
  }

  #enterMonth(month: Month, at: number): MonthTerms {
    this.#setTime(at);
    this.#hash.addText(this.inForce.version);
    this.#terms = monthTerms(this.subject, this.inForce, month);
    const ratio = this.subject.ratio(this.inForce.parameters, at);
    // A ratio that no item has of its own is that of the month.
    if (this.belief && ratio.spread === 0) this.belief.r = ratio.log;
    return this.#terms;
  }

  #drift(terms: MonthTerms, to: number): void {
    const passed = to - this.at;
    if (passed > 0 && this.belief) {
      const { subject } = this;
      this.belief.drift({
        a: terms.drift * passed,
        r: terms.ratioDrift * passed,
        aVariance: subject.volatility * subject.volatileDays(this.at, to),
        rVariance: (subject.ratioVolatility * passed) / dayMs,
      });
    }
    this.at = to;
  }

  #takeRow(row: Row): void {
    const rejection = this.#rejection(row, this.#options.knownBefore);
    if (!this.#options.skipsHash) addSale(this.#hash, row.sale, rejection);
    if (rejection) {
      this.tally.reject(row, rejection);
      return;
    }
    const isAgain = this.#sellers.isAgain(row);
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
      isFirst: !this.wasSold,
      error: error / Math.sqrt(expected.variance + track.variance),
    });
    const price = { log, noise: row.noise * (isAgain ? sellerAgainNoise : 1), isAgain };
    // A seller's further sales count less, but they are not excused more.
    const isOdd =
      Math.abs(error) > oddErrors * Math.sqrt(expected.variance + track.variance * row.noise);
    const isFar = Math.abs(error) > oddLog && this.#isEstablished(expected.variance);
    if (isOdd || isFar) {
      this.#quarantine({ ...price, row, sign: Math.sign(error), isFar });
    } else {
      this.tally.accept(row, isAgain ? 'same_seller_again' : row.caution);
      this.#learn(row, price);
    }
  }

  /** Whether a value is known well, and by sales. */
  #isEstablished(variance: number): boolean {
    const { sealed, used } = this.tracks;
    const sales = sealed.times.length + used.times.length;
    return sales >= establishedSales && variance <= establishedSpread ** 2;
  }

  /** What never counts; null for what does. */
  #rejection(row: Row, knownBefore: number | null): Rejection | null {
    if (wasTakenBack(row, knownBefore)) return 'retracted';
    if (row.rejection) return row.rejection;
    return this.#sellers.isDuplicate(row) ? 'duplicate' : null;
  }

  #side(condition: Condition): Side {
    return condition === this.subject.lead ? 'lead' : 'other';
  }

  /** Starts from what is known without any sale, which may be nothing. */
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

  /** Takes a price in; what several sales agree on is believed as it is. */
  #learn(row: Row, price: Price, isAgreed = false): void {
    const side = this.#side(row.condition);
    const track = this.tracks[row.condition];
    const belief = this.#startBelief();
    const noiseVariance = track.variance * price.noise;
    const error = price.log - belief.expectedLog(side);
    const measure = () => Math.abs(error) / Math.sqrt(belief.variance(side) + noiseVariance);
    const off = Math.sign(error) * measure();
    track.noteLevel(row.at, off);
    if (!price.isAgain && track.soundsAlarm(off)) {
      this.#loosen(side, alarmSpread);
      this.tally.move(this.at, 'drift');
    }
    const trust = isAgreed ? 1 : Math.min(1, fullErrorMax / measure());
    const valueVariance = belief.variance(side);
    belief.learn(side, error, noiseVariance / trust ** 2);
    track.learnScatter(error, valueVariance, price.noise);
    track.accept(row.at);
  }

  /** An odd sale changes nothing, until enough others agree with it. */
  #quarantine(sale: QuarantinedSale): void {
    this.tally.quarantine(sale.row);
    const agreeing = this.tracks[sale.row.condition].quarantine(sale);
    if (agreeing.length === 0) return;
    const side = this.#side(sale.row.condition);
    this.#startBelief();
    this.#loosen(side, shiftSpread);
    this.tally.move(this.at, 'level');
    for (const held of agreeing) {
      this.tally.release(held.row);
      this.tally.accept(held.row, 'new_level');
      this.#learn(held.row, held, true);
    }
  }

  /**
   * Something has changed in one condition. Where the leading one has sales of its own, they show
   * what became of it: the other one alone changes its ratio.
   */
  #loosen(side: Side, spread: number): void {
    const { subject, tracks, at } = this;
    const hasFixedRatio = subject.ratio(this.inForce.parameters, at).spread === 0;
    const isSupported = tracks[subject.lead].supportAt(at) > 0;
    const share = side === 'lead' || hasFixedRatio ? 1 : isSupported ? 0 : 0.5;
    const variance = spread ** 2;
    this.belief?.loosen({ aVariance: share * variance, rVariance: (1 - share) * variance });
  }

  /** What the item is worth without any sale. */
  #priorNow(): Estimate | null {
    const prior = this.subject.prior(this.inForce.parameters, this.at);
    return withOwnPrice(prior, this.#own, this.at);
  }
}

/** A seller's further sales scatter as if they were this much less certain. */
const sellerAgainNoise = 4;
