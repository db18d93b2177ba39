/** Formats that only pages use; the others are in the kernel. */
import { nounText } from '../../domain/kernel/format.ts';
import type { Condition } from '../../domain/market/source-rows.ts';

export const conditionNames: Readonly<Record<Condition, string>> = {
  sealed: 'Sealed',
  used: 'Used',
};

/** A gain in whole percent, with its sign. */
export function roundPercentText(percent: number): string {
  const whole = Math.round(percent);
  return `${whole > 0 ? '+' : ''}${whole + 0}%`;
}

/** Basis points as a percentage. */
export function shareText(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

/** The error at the maximum number of something. */
export function limitText(most: number, noun: string): string {
  return `You’ve reached the limit of ${nounText(most, noun)}. Delete one to add another.`;
}

/** A probability in a sentence: `an 80% chance`. */
export function chanceText(share: number): string {
  const percent = Math.round(share * 100);
  return `${String(percent).startsWith('8') ? 'an' : 'a'} ${percent}% chance`;
}
