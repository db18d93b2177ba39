/** Outcomes of rows of a change. */
import type { AccountOutcome, Rejection } from './private-rows.ts';

export const added: AccountOutcome = { kind: 'added' };
export const updated: AccountOutcome = { kind: 'updated' };
export const unchanged: AccountOutcome = { kind: 'unchanged' };

/** A rejected row; `missing` if what it refers to may still arrive. */
export function refused(
  reason: string,
  about: Partial<Pick<Rejection, 'missing' | 'field' | 'refusal'>> = {},
): AccountOutcome {
  return { kind: 'rejected', reason, missing: false, ...about };
}

export const changedSince = (noun: 'lot' | 'sale' | 'purchase'): AccountOutcome =>
  refused(`the ${noun} was changed since you opened it; check it and try again`, {
    refusal: 'changed',
  });
