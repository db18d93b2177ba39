/** Sales that agree on another price than the value, and what they prove. */

import { dayMs } from '../../../kernel/time.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import type { RowMark } from './admit.ts';
import type { ChannelName } from './parameters.ts';
import { readCount, type SaleCount, writeCount } from './seller-sales.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** A sale with its comparable price (log). */
export interface PricedSale {
  readonly row: RowMark;
  readonly log: number;
  readonly count: SaleCount;
}

/** Sales that agree: when they began and ended, and their independent sellers. */
export interface Agreement {
  readonly from: number;
  readonly to: number;
  readonly sales: number;
  readonly sellers: number;
  /** Their median price. */
  readonly log: number;
}

/** How many sales the item would have had in a time, and its sellers of a quarter. */
export interface SellingPace {
  expectedSales(from: number, to: number): number;
  readonly sellers: number;
}

/** This many independent sellers are enough, if the item has not had more in a quarter. */
const manySellers = 6;

/** Fewer are never enough. */
export const sellersMin = 2;

/** Fewer than this many sellers need a longer silence of others. */
const fewSellers = 3;
const fewSellersFactor = 1.5;

/** Sales of a day at nearly the same price (log) count as one seller's. */
const samePrice = 0.03;

export function writeSale(to: StateWriter, { row, log, count }: PricedSale): void {
  to.number(row.at);
  to.text(row.seller);
  to.optional(row.source, (source) => to.text(source));
  to.text(row.condition);
  to.text(row.channel);
  to.number(row.units);
  to.number(log);
  writeCount(to, count);
}

export function readSale(from: StateReader): PricedSale {
  const row = {
    at: from.number(),
    seller: from.text(),
    source: from.optional(() => from.text()),
    condition: from.text() as Condition,
    channel: from.text() as ChannelName,
    units: from.number(),
  };
  return { row, log: from.number(), count: readCount(from) };
}

/** In order of time; null without sales. */
export function agreementOf(sales: readonly PricedSale[]): Agreement | null {
  const [first, last] = [sales[0], sales.at(-1)];
  if (!first || !last) return null;
  return {
    from: first.row.at,
    to: last.row.at,
    sales: sales.length,
    sellers: countSellers(sales),
    log: middleOf(sales),
  };
}

/** NaN if empty. */
export function middleOf(sales: readonly PricedSale[]): number {
  const logs = sales.map(({ log }) => log).sort((a, b) => a - b);
  return logs[Math.floor(logs.length / 2)] ?? Number.NaN;
}

/**
 * Whether a price is proven: either `expected` other sales would have been made in the same time,
 * or as many independent sellers agree as the item usually has.
 */
export function isProven(
  { from, to, sellers }: Agreement,
  pace: SellingPace,
  expected: number,
): boolean {
  if (sellers < sellersMin) return false;
  const needed = sellers < fewSellers ? fewSellersFactor * expected : expected;
  return pace.expectedSales(from, to) >= needed || sellers >= Math.max(manySellers, pace.sellers);
}

function countSellers(sales: readonly PricedSale[]): number {
  const counted: PricedSale[] = [];
  for (const sale of sales) {
    if (!counted.some((other) => areOneSeller(sale, other))) counted.push(sale);
  }
  let sellers = 0;
  for (const [source, own] of Map.groupBy(counted, ({ row }) => row.source)) {
    const most = source === null ? own.length : (own.at(-1)?.count.sellersMax ?? 0);
    sellers += Math.min(own.length, most);
  }
  return Math.floor(sellers);
}

function areOneSeller(one: PricedSale, other: PricedSale): boolean {
  if (one.row.seller === other.row.seller) return true;
  const isSameDay = Math.abs(one.row.at - other.row.at) < dayMs;
  return isSameDay && Math.abs(one.log - other.log) < samePrice;
}
