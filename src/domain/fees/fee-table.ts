/**
 * What platforms take from a sale, as dated data: what their price lists say to an ordinary seller
 * in the United States. New prices are a new row; old rows stay, so that a day can be done again.
 * An operator may put a newer table beside the store.
 */
import builtInTable from './fees.json' with { type: 'json' };
import { type Platform, platforms } from './platforms.ts';
import { TableError, TableFields } from './table-fields.ts';

/** What a share is taken of: the items alone, with shipping, or with shipping and sales tax. */
export const feeBases = ['items', 'with_shipping', 'with_tax'] as const;
export type FeeBase = (typeof feeBases)[number];

/** What steps are counted for. */
const stepsPers = ['unit', 'order'] as const;
type StepsPer = (typeof stepsPers)[number];

/** A part of a price: up to an amount, or everything above the step before. */
interface Step {
  readonly upToCents: number | null;
}

/** A share of a part of a price, in hundredths of a percent. */
export interface ShareStep extends Step {
  readonly basisPoints: number;
}

/** What is charged for an order that comes to as much. */
export interface OrderStep extends Step {
  readonly feeCents: number;
}

/** What whoever carries the payment takes. */
export interface PaymentFee {
  readonly name: string;
  readonly base: FeeBase;
  readonly basisPoints: number;
  readonly feeCents: number;
}

/** What one platform takes from a day on. */
export interface PlatformFees {
  readonly platform: Platform;
  /** YYYY-MM-DD; it holds until the platform's next row begins. */
  readonly from: string;
  /** Whose price list it is from. */
  readonly source: string;
  readonly base: FeeBase;
  /** Like brackets of a tax: of the price of each unit, or of what a whole order comes to. */
  readonly steps: readonly ShareStep[];
  readonly stepsPer: StepsPer;
  /** Of each order, by what it comes to. */
  readonly perOrder: readonly OrderStep[];
  /** What share and order fee come to at least; nothing is charged for a price of 0. */
  readonly minCents: number;
  /** Ways to be paid, the usual one first; none where the platform's fee has it in it. */
  readonly payments: readonly PaymentFee[];
}

/** The fees of all platforms. */
export interface FeeTable {
  /** The sales tax that is assumed where a platform takes a share of it, too. */
  readonly taxBasisPoints: number;
  /** By platform, the earliest first. */
  readonly rows: readonly PlatformFees[];
}

/** The table that comes with this version. */
export const builtInFees: FeeTable = readFeeTable(builtInTable);

/** What a platform takes on a day; null where it takes nothing. */
export function feesOn(table: FeeTable, platform: Platform, day: string): PlatformFees | null {
  const isTheirs = (row: PlatformFees) => row.platform === platform;
  // The first row also stands for the time before it.
  return (
    table.rows.findLast((row) => isTheirs(row) && row.from <= day) ??
    table.rows.find(isTheirs) ??
    null
  );
}

/** Reads a table; throws a `TableError` that names the place of what is wrong. */
export function readFeeTable(value: unknown): FeeTable {
  const fields = new TableFields(value, 'The fee table');
  const table = {
    taxBasisPoints: fields.percent('sales_tax_percent'),
    rows: fields
      .list('platforms', readPlatform)
      .sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from))),
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
    steps: rising(
      fields,
      'steps',
      fields.list('steps', (step) => ({
        upToCents: step.centsOrNull('up_to_usd'),
        basisPoints: step.percent('percent'),
      })),
    ),
    stepsPer: fields.has('steps_per') ? fields.word('steps_per', stepsPers) : 'unit',
    perOrder: rising(
      fields,
      'per_order',
      fields.list('per_order', (step) => ({
        upToCents: step.centsOrNull('up_to_usd'),
        feeCents: step.cents('fee_usd'),
      })),
    ),
    minCents: fields.cents('minimum_usd'),
    payments: fields.list('payments', (payment) => ({
      name: payment.text('name'),
      base: payment.has('base') ? payment.word('base', feeBases) : 'with_shipping',
      basisPoints: payment.percent('percent'),
      feeCents: payment.cents('fee_usd'),
    })),
  };
}

/** Steps rise, and the last one has no end: every price is in one of them. */
function rising<S extends Step>(
  fields: TableFields,
  name: string,
  steps: readonly S[],
): readonly S[] {
  const ends = steps.map(({ upToCents }) => upToCents ?? Number.POSITIVE_INFINITY);
  const isRising = ends.every((end, index) => index === 0 || end > (ends[index - 1] ?? 0));
  if (isRising && (steps.length === 0 || ends.at(-1) === Number.POSITIVE_INFINITY)) return steps;
  throw fields.error(name, "must rise in 'up_to_usd', and the last must have none");
}
