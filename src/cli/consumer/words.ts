/** Texts for codes and numbers of the API, and numbers of items as typed. */
import { statusName } from '../../catalog/items/status.ts';
import { gainText, percentText } from '../../kernel/format.ts';
import { toCents } from '../../kernel/money.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import { tierWords } from '../../market/values/tier-words.ts';
import { UsageError } from '../row.ts';

export function statusText(statusId: number): string {
  return statusName(statusId) ?? `Status ${statusId}`;
}

export function tierText(tier: DataTier): string {
  return `${tier.charAt(0).toUpperCase()}${tier.slice(1)}: ${tierWords[tier]}.`;
}

const events: Readonly<Record<string, string>> = {
  released: 'Released',
  retired: 'Retired',
  price_jump_up: 'Price jumped up',
  price_jump_down: 'Price jumped down',
};

export function eventText(event: string | null): string {
  return event === null ? '' : (events[event] ?? event);
}

export function conditionText(condition: string): string {
  return condition === 'sealed' ? 'Sealed' : 'Used';
}

export function gainUsdText(usd: number | null): string {
  return usd === null ? '–' : gainText(toCents(usd) ?? 0);
}

export function gainWithPercent(usd: number, percent: number): string {
  return `${gainUsdText(usd)} (${percentText(percent)})`;
}

export const searchHint = "Find its number with 'brickmark search'.";

/** The number of a set or minifig; dots alone would change the path of the request. */
export function readItemNumber(text: string): string {
  if (text === '.' || text === '..') throw new UsageError(`'${text}' is not a number.`);
  return text;
}
