/** Outliers are quarantined until they prove a new price level, or sales at the old one go on. */
import { dayMs } from '../../../kernel/time.ts';
import {
  type Agreement,
  agreementOf,
  isProven,
  middleOf,
  type PricedSale,
  readSale,
  type SellingPace,
  writeSale,
} from './agreement.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** An outlier, with its variance relative to an ordinary sale. */
export interface QuarantinedSale extends PricedSale {
  readonly noise: number;
  /** 1 above the value, −1 below it. */
  readonly sign: number;
}

/** Outliers within this time and distance (log) from their median may be a new level. */
const withinMs = 365 * dayMs;
const distanceMax = 0.25;
const salesMin = 3;

/** Without a sale at the old level where this many were expected (probability e^−4: 2%). */
const expectedSales = 4;

/** Older outliers have no effect any more, except for a doubt, which ends 30 days after a sale. */
export const outliersMs = withinMs + 30 * dayMs;

/** Only the latest outliers are kept. */
const quarantinedMax = 20;

/** Standardized errors above −1 contradict a lower level, and those below 1 a higher level. */
const levelErrors = 1;

export class LevelTest {
  #notLowAt = Number.NEGATIVE_INFINITY;
  #notHighAt = Number.NEGATIVE_INFINITY;
  #quarantined: readonly QuarantinedSale[] = [];

  /** Records when a sale last contradicted a lower or a higher level. */
  noteSale(at: number, error: number): void {
    if (error > -levelErrors) this.#notLowAt = Math.max(this.#notLowAt, at);
    if (error < levelErrors) this.#notHighAt = Math.max(this.#notHighAt, at);
  }

  /** Returns the agreeing sales if they prove a new level; empty otherwise. */
  quarantine(sale: QuarantinedSale, pace: SellingPace): readonly QuarantinedSale[] {
    const from = sale.row.at - withinMs;
    this.#quarantined = [
      ...this.#quarantined.filter(({ row }) => row.at >= from).slice(-quarantinedMax),
      sale,
    ];
    const agreeing = this.#agreeing(sale.sign);
    const agreement = agreementOf(agreeing);
    if (agreement === null || agreement.sales < salesMin) return [];
    if (!isProven(agreement, pace, expectedSales)) return [];
    this.#quarantined = this.#quarantined.filter((held) => !agreeing.includes(held));
    return agreeing;
  }

  /** The sales that agree with the latest outlier; null if others contradict them. */
  agreement(): Agreement | null {
    const latest = this.#quarantined.at(-1);
    return latest ? agreementOf(this.#agreeing(latest.sign)) : null;
  }

  /** The time of the oldest outlier from an instant on; infinity for none. */
  oldestAt(from: number): number {
    const times = this.#quarantined.map(({ row }) => row.at).filter((at) => at >= from);
    return Math.min(Number.POSITIVE_INFINITY, ...times);
  }

  write(to: StateWriter): void {
    to.number(this.#notLowAt);
    to.number(this.#notHighAt);
    to.list(this.#quarantined, (sale) => {
      writeSale(to, sale);
      to.number(sale.noise);
      to.number(sale.sign);
    });
  }

  read(from: StateReader): void {
    this.#notLowAt = from.number();
    this.#notHighAt = from.number();
    this.#quarantined = from.list(() => ({
      ...readSale(from),
      noise: from.number(),
      sign: from.number(),
    }));
  }

  /** Sales before one at the old level do not confirm a new one. */
  #agreeing(sign: number): readonly QuarantinedSale[] {
    const contrary = sign < 0 ? this.#notLowAt : this.#notHighAt;
    const alike = this.#quarantined.filter((held) => held.sign === sign && held.row.at > contrary);
    const middle = middleOf(alike);
    return alike.filter(({ log }) => Math.abs(log - middle) <= distanceMax);
  }
}
