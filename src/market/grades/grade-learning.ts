/**
 * Learns from sales what a missing box, missing instructions, missing parts or a damaged box do to
 * the price of a set. Each such sale is compared with sales of the same set that lacked nothing.
 */
import { median } from '../../kernel/median.ts';
import { dayMs } from '../../kernel/time.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import {
  assumedEffects,
  type GradeEffect,
  type GradeEffectName,
  type GradeEffects,
  gradeEffectNames,
  orderedEffects,
} from './grades.ts';

/** Sales that count are not older, and are compared with sales within this time. */
const learnedMs = 730 * dayMs;
const comparedMs = 60 * dayMs;

/** A sale needs this many others to be compared with. */
const comparedMin = 3;

/** The maximum weight of one set, so that no single set decides an effect. */
const salesOfSetMax = 5;

/** With less, an effect stays assumed. */
const salesMin = 30;
const setsMin = 10;

/** The assumption counts as much as this many sales. */
const assumedWeight = 30;

/** Larger quantities are sold at a discount. */
const quantityMax = 2;

/** The sales of each set; `before` is when they are learned from. */
export function learnGradeEffects(
  sets: Iterable<readonly StoredSale[]>,
  when: { readonly before: number; readonly knownBefore: number | null },
): GradeEffects {
  const logs = new Map<GradeEffectName, { logs: number[]; sets: number }>();
  for (const sales of sets) {
    const known = sales.filter((sale) => counts(sale, when));
    for (const name of gradeEffectNames) {
      const found = logDifferences(known, name);
      const sum = logs.getOrInsertComputed(name, () => ({ logs: [], sets: 0 }));
      sum.logs.push(...found);
      sum.sets += found.length > 0 ? 1 : 0;
    }
  }
  const effectOf = (name: GradeEffectName): GradeEffect => {
    const found = logs.get(name) ?? { logs: [], sets: 0 };
    const isEnough = found.logs.length >= salesMin && found.sets >= setsMin;
    return isEnough ? learnedEffect(found.logs, assumedEffects[name]) : assumedEffects[name];
  };
  return orderedEffects({
    damaged_box: effectOf('damaged_box'),
    complete: effectOf('complete'),
    incomplete: effectOf('incomplete'),
  });
}

function counts(
  sale: StoredSale,
  { before, knownBefore }: { readonly before: number; readonly knownBefore: number | null },
): boolean {
  const isKnown = knownBefore === null || sale.ingestedAt < knownBefore;
  const isTakenBack =
    sale.retractedAt !== null && (knownBefore === null || sale.retractedAt < knownBefore);
  const isRecent = sale.soldAt < before && sale.soldAt >= before - learnedMs;
  return isKnown && !isTakenBack && isRecent && sale.quantity <= quantityMax && sale.usdPerUnit > 0;
}

/** The defect of the sold unit; null if unknown. */
function lackOf({ condition, completeness }: StoredSale): GradeEffectName | 'nothing' | null {
  if (condition === 'sealed') {
    if (completeness === 'damaged_box') return 'damaged_box';
    return completeness === 'complete' || completeness === null ? 'nothing' : null;
  }
  switch (completeness) {
    case 'complete':
      return 'nothing';
    case 'no_box':
    case 'no_instructions':
      return 'complete';
    case 'incomplete':
      return 'incomplete';
    default:
      return null;
  }
}

/** Differences in log price, of the latest sales of a set, one for each seller. */
function logDifferences(sales: readonly StoredSale[], name: GradeEffectName): number[] {
  const lacking = sales.filter((sale) => lackOf(sale) === name);
  if (lacking.length === 0) return [];
  const whole = sales.filter((sale) => lackOf(sale) === 'nothing');
  const sellers = new Set<string>();
  const found: number[] = [];
  for (const sale of lacking.toSorted((a, b) => b.soldAt - a.soldAt)) {
    const seller = sale.seller ?? `${sale.source} ${Math.floor(sale.soldAt / dayMs)}`;
    if (sellers.has(seller) || found.length >= salesOfSetMax) continue;
    const others = whole.filter(
      (each) =>
        each.condition === sale.condition &&
        each.channel === sale.channel &&
        Math.abs(each.soldAt - sale.soldAt) <= comparedMs,
    );
    if (others.length < comparedMin) continue;
    sellers.add(seller);
    found.push(logOf(sale) - median(others.map(logOf)));
  }
  return found;
}

/** The log of what a buyer paid for a unit, in US dollars. */
function logOf(sale: StoredSale): number {
  const { priceCents, shippingCents, quantity, usdPerUnit } = sale;
  return Math.log(Math.max(1, ((priceCents + shippingCents) / quantity) * usdPerUnit));
}

/** Shares have four decimals, so that a few new sales do not change all values. */
function learnedEffect(logs: readonly number[], assumption: GradeEffect): GradeEffect {
  const weight = logs.length / (logs.length + assumedWeight);
  const log = weight * median(logs) + (1 - weight) * Math.log(assumption.share);
  return { share: Math.round(Math.exp(log) * 10_000) / 10_000, sales: logs.length };
}
