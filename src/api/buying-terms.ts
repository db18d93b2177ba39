/** On what terms a caller buys, and how answers about buying write days. */
import { tablesOf, termsOf } from '../domain/buying/buying-settings.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import type { BuyTerms } from '../domain/buying/resale.ts';
import type { HandlerDeps } from './handler-deps.ts';

/** What a call says of the terms; the rest is what its account pays. */
export type AskedTerms = Pick<BuyTerms, 'share' | 'marginBasisPoints'>;

/** What the parameters of a query say of the terms. */
export function askedTerms(query: {
  readonly share: number;
  readonly margin_pct: number;
}): AskedTerms {
  return { share: query.share, marginBasisPoints: Math.round(query.margin_pct * 100) };
}

/** What an account pays is asked of the accounts, what everybody pays is in the tables. */
interface TermsSource extends Pick<HandlerDeps, 'tables'> {
  readonly accounts: Pick<HandlerDeps['accounts'], 'findBuyingSettings'>;
}

/** The terms and the fees that hold for an account. */
export async function ownTerms(
  { accounts, tables }: TermsSource,
  accountId: number,
  asked: AskedTerms,
): Promise<{ readonly terms: BuyTerms; readonly tables: FeeTables }> {
  const settings = await accounts.findBuyingSettings(accountId);
  return { terms: { ...termsOf(settings), ...asked }, tables: tablesOf(tables, settings) };
}

/** Days with one place; null when nobody knows. */
export function presentDays(days: number | null): number | null {
  return days === null ? null : roundTo(days, 1);
}

/** A number with a few places. */
export function roundTo(value: number, places: number): number {
  return Math.round(value * 10 ** places) / 10 ** places;
}
