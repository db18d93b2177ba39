/** Words for what the API has as codes, and numbers as people read them. */
import { statusName } from '../../domain/catalog/status.ts';
import { gainText, percentText } from '../../domain/kernel/format.ts';
import { toCents } from '../../domain/kernel/money.ts';
import type { DataTier } from '../../domain/market/evidence.ts';
import { tierWords } from '../../domain/market/tier-words.ts';

/** A `status_id` in words. */
export function statusText(statusId: number): string {
  return statusName(statusId) ?? `Status ${statusId}`;
}

/** A `data_tier` in words. */
export function tierText(tier: DataTier): string {
  return `${tier.charAt(0).toUpperCase()}${tier.slice(1)}: ${tierWords[tier]}.`;
}

const events: Readonly<Record<string, string>> = {
  released: 'Released',
  retired: 'Retired',
  price_jump_up: 'Price jumped up',
  price_jump_down: 'Price jumped down',
};

/** The `event` of a month in words. */
export function eventText(event: string | null): string {
  return event === null ? '' : (events[event] ?? event);
}

/** The condition of what is sold. */
export function conditionText(condition: string): string {
  return condition === 'sealed' ? 'Sealed' : 'Used';
}

/** An amount with its sign. */
export function gainUsdText(usd: number | null): string {
  return usd === null ? '–' : gainText(toCents(usd) ?? 0);
}

/** A gain and what it is in percent. */
export function gainWithPercent(usd: number, percent: number): string {
  return `${gainUsdText(usd)} (${percentText(percent)})`;
}

/** What to do where there is no set or minifig of a number. */
export const searchHint = "Find its number with 'brickmark search'.";
