/**
 * How uncertain a value is, and how fast sales could change that: what a plan needs to know of an
 * item to tell whether asking a source about it is worth a call.
 */
import type { ItemKind } from '../catalog/numbers.ts';
import { dayMs } from '../kernel/time.ts';
import type { ConditionEvidence, Evidence } from './evidence.ts';
import type { Condition } from './source-rows.ts';

/** What there is to learn of an item in one condition. Spreads are of logarithms. */
export interface Uncertainty {
  /** What one unit is taken to be worth; what is modeled, where no value is given. */
  readonly valueCents: number;
  /** How uncertain the value is, and how far single sales scatter around it. */
  readonly valueSpread: number;
  readonly saleSpread: number;
  /** Sales in the last 180 days, as far as they are known. */
  readonly sales: number;
  /** How often items like it are sold, in sales per day. */
  readonly usualRate: number;
}

/** An item as it is planned for. */
export interface Outlook extends Readonly<Record<Condition, Uncertainty>> {
  /** Whether BrickLink may have it among its sets or minifigs. */
  readonly isTraded: boolean;
  /** Whether a retailer may be asked for it. */
  readonly hasBarcode: boolean;
}

/**
 * Both conditions in whole numbers, as they are kept: spreads in ten-thousandths, rates in
 * millionths. Plans read this of every item, so that it is taken apart only when it is looked at.
 */
export interface KeptUncertainty {
  readonly newCents: number;
  readonly newValueSpread: number;
  readonly newSaleSpread: number;
  readonly newSales: number;
  readonly newUsualRate: number;
  readonly usedCents: number;
  readonly usedValueSpread: number;
  readonly usedSaleSpread: number;
  readonly usedSales: number;
  readonly usedUsualRate: number;
}

/** An outlook as it is kept. */
export interface KeptOutlook extends KeptUncertainty {
  readonly isTraded: boolean;
  readonly hasBarcode: boolean;
}

const spreadUnit = 10_000;
const rateUnit = 1_000_000;

/** An outlook as it is kept. */
export function keepOutlook({ isTraded, hasBarcode, ...both }: Outlook): KeptOutlook {
  return { ...keepUncertainty(both), isTraded, hasBarcode };
}

/** The uncertainty of both conditions, as it is kept. */
export function keepUncertainty({
  sealed,
  used,
}: Readonly<Record<Condition, Uncertainty>>): KeptUncertainty {
  return {
    newCents: sealed.valueCents,
    newValueSpread: inParts(sealed.valueSpread, spreadUnit),
    newSaleSpread: inParts(sealed.saleSpread, spreadUnit),
    newSales: sealed.sales,
    newUsualRate: inParts(sealed.usualRate, rateUnit),
    usedCents: used.valueCents,
    usedValueSpread: inParts(used.valueSpread, spreadUnit),
    usedSaleSpread: inParts(used.saleSpread, spreadUnit),
    usedSales: used.sales,
    usedUsualRate: inParts(used.usualRate, rateUnit),
  };
}

/** None of them is ever nothing: what is divided by it would be infinite. */
function inParts(value: number, unit: number): number {
  return Math.max(1, Math.round(value * unit));
}

/** The uncertainty in one condition, from what was kept. */
export function keptUncertainty(kept: KeptUncertainty, condition: Condition): Uncertainty {
  return condition === 'sealed'
    ? {
        valueCents: kept.newCents,
        valueSpread: kept.newValueSpread / spreadUnit,
        saleSpread: kept.newSaleSpread / spreadUnit,
        sales: kept.newSales,
        usualRate: kept.newUsualRate / rateUnit,
      }
    : {
        valueCents: kept.usedCents,
        valueSpread: kept.usedValueSpread / spreadUnit,
        saleSpread: kept.usedSaleSpread / spreadUnit,
        sales: kept.usedSales,
        usualRate: kept.usedUsualRate / rateUnit,
      };
}

/** Over so many days sales are counted. */
export const salesDays = 180;

/** Of what nothing is known, a value could as well be a third or three times as much. */
const unknown = { valueCents: 20_00, spread: 1 } as const;

/** How far sales scatter before any of them showed it. */
const usualSaleSpread = 0.2;

/** What is known of an item whose evidence was never written down. */
export function unknownUncertainty(usualRate: number): Uncertainty {
  const { valueCents, spread: valueSpread } = unknown;
  return { valueCents, valueSpread, saleSpread: usualSaleSpread, sales: 0, usualRate };
}

/** The uncertainty of both conditions, from what stands behind the values. */
export function uncertaintyOf(
  evidence: Pick<Evidence, 'sealed' | 'used' | 'modeled'>,
  rates: Readonly<Record<Condition, number>>,
): Readonly<Record<Condition, Uncertainty>> {
  const of = (shown: ConditionEvidence | null, usualRate: number): Uncertainty => {
    if (shown !== null) {
      const { valueCents, valueSpread, saleSpread, sales } = shown;
      return { valueCents, valueSpread, saleSpread, sales: sales.days180, usualRate };
    }
    const { modeled } = evidence;
    if (modeled === null) return unknownUncertainty(usualRate);
    const { valueCents, spread: valueSpread } = modeled;
    return { valueCents, valueSpread, saleSpread: usualSaleSpread, sales: 0, usualRate };
  };
  return { sealed: of(evidence.sealed, rates.sealed), used: of(evidence.used, rates.used) };
}

/**
 * How many sales there are in 180 days of sets that are younger than so many years. Measured on
 * BrickLink's averages for 9,205 sets in February 2025: of a share `p` that had any sale in six
 * months, `−ln(1 − p)`. What a set is in a shop made little difference, its age made much.
 */
const salesByAge: readonly {
  readonly years: number;
  readonly sealed: number;
  readonly used: number;
}[] = [
  { years: 1, sealed: 0.7, used: 0.04 },
  { years: 2, sealed: 1.9, used: 0.5 },
  { years: 3, sealed: 2.0, used: 0.9 },
  { years: 6, sealed: 3.0, used: 1.5 },
  { years: 11, sealed: 2.7, used: 2.0 },
  { years: 16, sealed: 2.3, used: 1.9 },
  { years: 21, sealed: 1.5, used: 1.4 },
  { years: 31, sealed: 1.2, used: 1.2 },
];

/** The same of older sets, and of those whose age nobody knows. */
const salesOfOld = { sealed: 0.6, used: 0.95 } as const;

/** Of minifigs nothing was at hand to measure: one sale in half a year. */
const salesOfMinifigs = { sealed: 0.3, used: 1 } as const;

const yearMs = 365.25 * dayMs;

/** How often items like one are sold, in sales per day, before its own sales show it. */
export function usualRates(
  item: { readonly kind: ItemKind; readonly releasedAt: number | null },
  at: number,
): Readonly<Record<Condition, number>> {
  const { sealed, used } = item.kind === 'set' ? salesOfSet(item.releasedAt, at) : salesOfMinifigs;
  return { sealed: sealed / salesDays, used: used / salesDays };
}

function salesOfSet(releasedAt: number | null, at: number): Readonly<Record<Condition, number>> {
  if (releasedAt === null) return salesOfOld;
  const age = (at - releasedAt) / yearMs;
  return salesByAge.find(({ years }) => age < years) ?? salesOfOld;
}
