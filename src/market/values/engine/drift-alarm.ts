/** Two-sided CUSUM of standardized errors, which detects a drift that the value lags behind. */
import {
  type Agreement,
  agreementOf,
  isProven,
  type PricedSale,
  readSale,
  type SellingPace,
  writeSale,
} from './agreement.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

const slack = 0.5;
const clip = 2.5;
const limit = 5;

/** Two sales in a row that are this far off are in doubt before their errors reach the limit. */
const farError = 2.3;

/** An alarm is proven if this many sales were expected while the errors added up. */
const expectedSales = 2;

/** Of the sellers in this time, this share must agree. */
const agreeingShare = 0.8;

/** A sale and what it added to the sum. */
interface Added extends PricedSale {
  readonly sum: number;
}

/** Errors that add up in one direction. */
interface Run {
  readonly sum: number;
  readonly sales: readonly Added[];
}

const noRun: Run = { sum: 0, sales: [] };

export class DriftAlarm {
  #up = noRun;
  #down = noRun;

  /** Returns whether a drift is proven; the alarm then starts again. */
  add(sale: PricedSale, error: number, pace: SellingPace): boolean {
    const clipped = Math.max(-clip, Math.min(clip, error));
    this.#up = withSale(this.#up, sale, clipped - slack);
    this.#down = withSale(this.#down, sale, -clipped - slack);
    if (this.#run.sum <= limit) return false;
    const agreement = agreementOf(this.#agreeing);
    if (agreement === null || !isProven(agreement, pace, expectedSales)) return false;
    if (countNames(this.#agreeing) < agreeingShare * countNames(this.#run.sales)) return false;
    this.reset();
    return true;
  }

  reset(): void {
    this.#up = noRun;
    this.#down = noRun;
  }

  /** The sum of the errors below the value. */
  get fallen(): number {
    return this.#down.sum;
  }

  /** The sales that put the value in doubt; null if there are none. */
  agreement(): Agreement | null {
    const { sum, sales } = this.#run;
    const latest = sales.slice(-2);
    const areFar = latest.length === 2 && latest.every((sale) => sale.sum >= farError - slack);
    return areFar || sum > limit ? agreementOf(this.#agreeing) : null;
  }

  /** The time of the oldest sale that agreements may begin with; infinity for none. */
  oldestAt(): number {
    const ofRun = ({ sales }: Run) => sales[0]?.row.at ?? Number.POSITIVE_INFINITY;
    return Math.min(ofRun(this.#up), ofRun(this.#down));
  }

  write(to: StateWriter): void {
    for (const { sum, sales } of [this.#up, this.#down]) {
      to.number(sum);
      to.list(sales, (sale) => {
        writeSale(to, sale);
        to.number(sale.sum);
      });
    }
  }

  read(from: StateReader): void {
    this.#up = readRun(from);
    this.#down = readRun(from);
  }

  get #agreeing(): readonly Added[] {
    return this.#run.sales.filter(({ sum }) => sum > 0);
  }

  get #run(): Run {
    return this.#up.sum > this.#down.sum ? this.#up : this.#down;
  }
}

function readRun(from: StateReader): Run {
  const sum = from.number();
  const sales = from.list(() => ({ ...readSale(from), sum: from.number() }));
  return sales.length === 0 ? noRun : { sum, sales };
}

function countNames(sales: readonly PricedSale[]): number {
  return new Set(sales.map(({ row }) => row.seller)).size;
}

/** A seller adds no more than one sale could, and a source no more than `sellersMax` of them. */
function withSale(run: Run, { row, log, count }: PricedSale, by: number): Run {
  if (by <= 0 && run === noRun) return noRun;
  let [own, ofSource] = [0, 0];
  for (const each of run.sales) {
    if (each.row.seller === row.seller) own += each.sum;
    if (each.row.source === row.source) ofSource += each.sum;
  }
  const most = clip - slack;
  const sourceMost = row.source === null ? Number.POSITIVE_INFINITY : count.sellersMax * most;
  const added = Math.min(by, most - own, Math.max(0, sourceMost - ofSource));
  const sum = run.sum + added;
  if (sum <= 0) return noRun;
  return { sum, sales: [...run.sales, { row, log, count, sum: added }] };
}
