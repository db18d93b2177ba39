/**
 * How uncertain a value is and how fast sales could change that, from which planning decides
 * whether querying a source for an item is worth a call.
 */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { dayMs } from '../../kernel/time.ts';
import type { ConditionEvidence, Evidence } from '../evidence/evidence.ts';
import type { Condition } from '../source-rows/source-rows.ts';
import type { PriceTerms } from './price.ts';

/** The uncertainty about an item in one condition. Spreads are on a log scale. */
export interface Uncertainty extends Pick<PriceTerms, 'valueSpread' | 'saleSpread'> {
  /** The value of one unit; the modeled value if none is published. */
  readonly valueCents: number;
  /** Known sales in the last 180 days. */
  readonly sales: number;
  /** The typical rate of sale of similar items, in sales per day. */
  readonly usualRate: number;
}

/** The facts of an item that planning needs. */
export interface Outlook extends Readonly<Record<Condition, Uncertainty>> {
  /** Whether BrickLink may list it as a set or minifig. */
  readonly isTraded: boolean;
  /** Whether retailers can be queried for it. */
  readonly hasBarcode: boolean;
}

/**
 * Both conditions as stored integers: spreads in ten-thousandths, rates in millionths. Plans read
 * this for every item, so it is converted only when used.
 */
export type KeptUncertainty = Readonly<
  Record<
    `${'new' | 'used'}${'Cents' | 'ValueSpread' | 'SaleSpread' | 'Sales' | 'UsualRate'}`,
    number
  >
>;

/** An outlook as it is stored. */
type KeptOutlook = KeptUncertainty & Pick<Outlook, 'isTraded' | 'hasBarcode'>;

const spreadUnit = 10_000;
const rateUnit = 1_000_000;

export function keepOutlook({ isTraded, hasBarcode, ...both }: Outlook): KeptOutlook {
  return { ...keepUncertainty(both), isTraded, hasBarcode };
}

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

/** At least 1, because spreads and rates are divisors. */
function inParts(value: number, unit: number): number {
  return Math.max(1, Math.round(value * unit));
}

/** The inverse of `keepUncertainty` for one condition. */
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

/** The period in which sales are counted. */
export const salesDays = 180;

/** If nothing is known, the value may be off by a factor of about three. */
const unknown = { valueCents: 20_00, spread: 1 } as const;

/** The assumed scatter of sales before there are any. */
const usualSaleSpread = 0.2;

/** For an item without evidence. */
export function unknownUncertainty(usualRate: number): Uncertainty {
  const { valueCents, spread: valueSpread } = unknown;
  return { valueCents, valueSpread, saleSpread: usualSaleSpread, sales: 0, usualRate };
}

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
 * Sales in 180 days for sets younger than a number of years. Measured on BrickLink's averages for
 * 9,205 sets in February 2025, as `−ln(1 − p)` for a share `p` with any sale in six months. Age
 * mattered far more than the retail price.
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

/** For older sets, and those of unknown age. */
const salesOfOld = { sealed: 0.6, used: 0.95 } as const;

/** An assumption, as there was no data on minifigs. */
const salesOfMinifigs = { sealed: 0.3, used: 1 } as const;

const yearMs = 365.25 * dayMs;

/**
 * The typical rate of sale of similar items in sales per day, regardless of the item's own sales.
 */
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
