/**
 * Formats of pages: in the currency and the number and date format of who sees the page. Requests
 * have them as `formats`, and `web.ts` puts them in place for all that makes the page, so that they
 * need not be passed to every cell. Files and messages use the kernel's: dollars, US formats.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { textsIn, usFormats } from '../../kernel/format.ts';
import type { Formats } from '../../kernel/formats.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';

const inUse = new AsyncLocalStorage<Formats>();

export function withFormats<T>(formats: Formats, work: () => T): T {
  return inUse.run(formats, work);
}

export function pageFormats(): Formats {
  return inUse.getStore() ?? usFormats;
}

export const {
  moneyText,
  usdText,
  gainText,
  percentText,
  waitText,
  countText,
  nounText,
  dayText,
  monthText,
  momentText,
  timeText,
  durationText,
  agoText,
} = textsIn(pageFormats);

/** US formats, for messages and the audit log. */
export { momentText as usMomentText, nounText as usNounText } from '../../kernel/format.ts';

/** A text with amounts that are not converted, such as fees, which are agreed in dollars. */
export function inDollars(text: string): string {
  return pageFormats().inDollars(text);
}

/** The sign in front of an amount that is typed, which is in dollars. */
export function dollarSign(): string {
  return pageFormats().exchange === null ? '$' : 'US$';
}

export function decimalText(value: number, decimals: number): string {
  return pageFormats().decimal(value, decimals);
}

export const conditionNames: Readonly<Record<Condition, string>> = {
  sealed: 'Sealed',
  used: 'Used',
};

/** A gain in whole percent, with its sign. */
export function roundPercentText(percent: number): string {
  const whole = Math.round(percent);
  return `${whole > 0 ? '+' : ''}${countText(whole + 0)}%`;
}

export function shareText(basisPoints: number): string {
  return `${countText(basisPoints / 100)}%`;
}

export function limitText(most: number, noun: string): string {
  return `You’ve reached the limit of ${nounText(most, noun)}. Delete one to add another.`;
}

/** A probability in a sentence: `an 80% chance`. */
export function chanceText(share: number): string {
  const percent = Math.round(share * 100);
  return `${String(percent).startsWith('8') ? 'an' : 'a'} ${percent}% chance`;
}
