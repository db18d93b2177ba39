/** The terms a caller buys on, and the format of days and grades in responses about buying. */

import type { Caller } from '../accounts/keys/quota.ts';
import { hasScope } from '../accounts/keys/scopes.ts';
import type { GradedUnit } from '../buying/boxes/evaluate.work.ts';
import type { BuyTerms } from '../buying/boxes/quotes.ts';
import {
  type BuyingSettings,
  tablesOf,
  termsOf,
  usualSettings,
} from '../buying/prices/buying-settings.ts';
import type { FeeTables } from '../buying/prices/selling-channels.ts';
import { type Grade, gradeBasis, gradeShare } from '../market/grades/grades.ts';
import type { HandlerDeps } from './handler-deps.ts';

/** The terms in a request; the others are settings of the account. */
export type RequestedTerms = Pick<BuyTerms, 'share' | 'marginBasisPoints'>;

export function requestedTerms(query: {
  readonly share: number;
  readonly margin_pct: number;
}): RequestedTerms {
  return { share: query.share, marginBasisPoints: Math.round(query.margin_pct * 100) };
}

interface TermsSource extends Pick<HandlerDeps, 'tables'> {
  readonly accounts: Pick<HandlerDeps['accounts'], 'findBuyingSettings'>;
}

type Owner = Pick<Caller, 'accountId' | 'scopes'>;

/**
 * The buying settings of an account. A key without the scope `portfolio` sees nothing of its
 * account, so it gets the default settings.
 */
export async function ownSettings(
  { accounts }: Pick<TermsSource, 'accounts'>,
  { accountId, scopes }: Owner,
): Promise<BuyingSettings> {
  return hasScope(scopes, 'portfolio') ? accounts.findBuyingSettings(accountId) : usualSettings;
}

export async function ownTerms(
  source: TermsSource,
  owner: Owner,
  requested: RequestedTerms,
): Promise<{ readonly terms: BuyTerms; readonly tables: FeeTables }> {
  const settings = await ownSettings(source, owner);
  return {
    terms: { ...termsOf(settings), ...requested },
    tables: tablesOf(source.tables, settings),
  };
}

/** One decimal; null: unknown. */
export function presentDays(days: number | null): number | null {
  return days === null ? null : roundTo(days, 1);
}

export function roundTo(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

export async function findGraded({ market }: HandlerDeps, grade: Grade): Promise<GradedUnit> {
  return { grade, effect: gradeShare(grade, await market.store.findGradeEffects()) };
}

/** Without a grade, nothing is added. */
export function presentGraded(graded: GradedUnit | undefined) {
  if (!graded) return {};
  const { grade, effect } = graded;
  return {
    grade,
    // Exact enough to compute the same cents from it.
    grade_value_pct: roundTo(100 * effect.share, 8),
    grade_effect_is: gradeBasis(effect),
  };
}
