/**
 * Platforms' fees as dated data, from their price lists for ordinary sellers in the United States.
 * New prices are a new row; old rows stay, so that past days can be recomputed. Operators may
 * provide a newer table next to the store.
 */

import { compareText } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import builtInTable from './fees.json' with { type: 'json' };
import { type Platform, platforms } from './platforms.ts';
import { TableError, TableFields } from './table-fields.ts';

/** The base of a percentage: items only, with shipping, or with shipping and sales tax. */
export const feeBases = ['items', 'with_shipping', 'with_tax'] as const;
export type FeeBase = (typeof feeBases)[number];

/** Whether steps apply to each unit or to the whole order. */
export const stepsPers = ['unit', 'order'] as const;
type StepsPer = (typeof stepsPers)[number];

/** A bracket up to an amount, or without a limit. */
interface Step {
  readonly upToCents: number | null;
}

/** A percentage within a bracket, in basis points. */
export interface ShareStep extends Step {
  readonly basisPoints: number;
}

export interface OrderStep extends Step {
  readonly feeCents: number;
}

export interface PaymentFee {
  readonly name: string;
  readonly base: FeeBase;
  readonly basisPoints: number;
  readonly feeCents: number;
}

export interface PlatformFees {
  readonly platform: Platform;
  /** YYYY-MM-DD; in force until the platform's next row. */
  readonly from: string;
  /** The price list that it is taken from. */
  readonly source: string;
  readonly base: FeeBase;
  /** Marginal like tax brackets, on the price of each unit or of the whole order. */
  readonly steps: readonly ShareStep[];
  readonly stepsPer: StepsPer;
  readonly perOrder: readonly OrderStep[];
  /** The minimum for percentage and order fee together; a price of 0 has no fees. */
  readonly minCents: number;
  /** Payment methods, the default first; empty if the platform's fee includes payment. */
  readonly payments: readonly PaymentFee[];
}

export interface FeeTable {
  /** The assumed sales tax, for platforms with fees on it. */
  readonly taxBasisPoints: number;
  /** Earliest first. */
  readonly rows: readonly PlatformFees[];
}

/** The table included in this version. */
export const builtInFees: FeeTable = readFeeTable(builtInTable);

export function feesOn(table: FeeTable, platform: Platform, day: string): PlatformFees | null {
  const isTheirs = (row: PlatformFees) => row.platform === platform;
  // The first row also applies before its start.
  return (
    table.rows.findLast((row) => isTheirs(row) && row.from <= day) ??
    table.rows.find(isTheirs) ??
    null
  );
}

/** Throws a `TableError` that names the location of the problem. */
export function readFeeTable(value: unknown): FeeTable {
  const fields = new TableFields(value, 'The fee table');
  const table = {
    taxBasisPoints: fields.percent('sales_tax_percent'),
    rows: fields.list('platforms', readPlatform).sort((a, b) => compareText(a.from, b.from)),
  };
  fields.end();
  const names = table.rows.map(({ platform, from }) => `${platform} from ${from}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new TableError(`The fee table has two rows for ${twice}.`);
  return table;
}

function readPlatform(fields: TableFields): PlatformFees {
  const base = fields.word('base', feeBases);
  return {
    platform: fields.word('platform', platforms),
    from: fields.day('from'),
    source: fields.text('source'),
    base,
    steps: rising(fields, 'steps', (step) => ({ basisPoints: step.percent('percent') })),
    stepsPer: fields.has('steps_per') ? fields.word('steps_per', stepsPers) : 'unit',
    perOrder: rising(fields, 'per_order', (step) => ({ feeCents: step.cents('fee_usd') })),
    minCents: fields.cents('minimum_usd'),
    payments: fields.list('payments', (payment) => ({
      name: payment.text('name'),
      base: payment.has('base') ? payment.word('base', feeBases) : 'with_shipping',
      basisPoints: payment.percent('percent'),
      feeCents: payment.cents('fee_usd'),
    })),
  };
}

/** Steps must increase and the last one must be unlimited, so that every price is covered. */
function rising<Fee>(
  fields: TableFields,
  name: string,
  read: (step: TableFields) => Fee,
): (Step & Fee)[] {
  const steps = fields.list(name, (step) => {
    return { upToCents: step.centsOrNull('up_to_usd'), ...read(step) };
  });
  const ends = steps.map(({ upToCents }) => upToCents ?? Number.POSITIVE_INFINITY);
  const isRising = ends.every((end, index) => index === 0 || end > at(ends, index - 1));
  if (isRising && (steps.length === 0 || ends.at(-1) === Number.POSITIVE_INFINITY)) return steps;
  throw fields.error(name, "must rise in 'up_to_usd', and the last must have none");
}
