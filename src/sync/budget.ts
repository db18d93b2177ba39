/** Rate limits of sources. Calls are counted before they are made, as some never return. */
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';

/** The limit of a source. */
export type BudgetRule =
  /** A number of calls in any 24 hours, because the source's time zone is unknown. */
  | { readonly kind: 'day'; readonly calls: number }
  /** A token bucket with a level that the source reports in every answer. */
  | { readonly kind: 'tokens' };

type DailyRule = Extract<BudgetRule, { readonly kind: 'day' }>;

/** Usage that still counts. */
export interface BudgetState {
  /** Calls by hour since 1970, oldest first. */
  readonly hours: readonly (readonly [hour: number, calls: number])[];
  /** The level last reported by the source; null before the first report. */
  readonly tokens: TokenLevel | null;
  /** The limit when calls were last counted; null: unlimited. */
  readonly rule: BudgetRule | null;
}

export interface TokenLevel {
  readonly left: number;
  readonly at: number;
  readonly perMinute: number;
}

/** A call is one call, regardless of its cost in tokens. */
export function callsOf(rule: BudgetRule | null, cost: number): number {
  return rule?.kind === 'tokens' ? 1 : cost;
}

export const unspent: BudgetState = { hours: [], tokens: null, rule: null };

/**
 * The maximum delay until a counted call reaches its source. Calls count as if they arrived that
 * late, and at the end of their hour.
 */
const arrivalMsMax = 10 * minuteMs;

/** Hours further ahead were counted with a wrong clock, and are ignored. */
const aheadMsMax = dayMs;

/** The capacity of a bucket in minutes of refill, unless a higher level was reported. */
const bucketMinutes = 60;

/** Without a rule, calls are counted but never refused. */
export interface SpendRequest {
  readonly rule: BudgetRule | null;
  readonly cost: number;
  readonly at: number;
}

/** The budget after the calls, or when they will fit into it. */
export type SpendResult =
  | { readonly isGranted: true; readonly after: BudgetState }
  | { readonly isGranted: false; readonly nextAt: number };

/** Counts calls, unless they exceed the budget. */
export function spend(before: BudgetState, { rule, cost, at }: SpendRequest): SpendResult {
  const counted = before.hours.filter(([hour]) => isCounted(hour, at));
  const left = rule === null ? null : leftOf(before, rule, at);
  if (rule !== null && left !== null && left < cost) {
    return { isGranted: false, nextAt: fitsAt(before, { rule, cost, at }) };
  }
  const hours = cost === 0 ? counted : withCalls(counted, Math.floor(at / hourMs), cost);
  const tokens = withoutTokens(knownTokens(before, at), { cost, at });
  return { isGranted: true, after: { hours, tokens, rule } };
}

/** Deducts tokens from the level at the last whole minute. */
function withoutTokens(
  tokens: TokenLevel | null,
  { cost, at }: Omit<SpendRequest, 'rule'>,
): TokenLevel | null {
  if (tokens === null) return null;
  const filledAt = tokens.at + minutesSince(tokens, at) * minuteMs;
  return { left: levelAt(tokens, at) - cost, at: filledAt, perMinute: tokens.perMinute };
}

/** The remaining calls or tokens; null if the level of tokens is not known yet. */
export function leftOf(state: BudgetState, rule: BudgetRule, at: number): number | null {
  if (rule.kind === 'tokens') {
    const tokens = knownTokens(state, at);
    return tokens && levelAt(tokens, at);
  }
  return callsLeft(state, rule, at);
}

function callsLeft({ hours }: BudgetState, { calls }: DailyRule, at: number): number {
  const spent = hours.reduce((sum, [hour, own]) => (isCounted(hour, at) ? sum + own : sum), 0);
  return Math.max(0, calls - spent);
}

/**
 * The pause after calls that spreads a budget over the day. While little is spent, calls follow
 * each other closely, so that a new instance gets the most important data within the hour; the
 * pause then grows toward an even spacing.
 */
export function restAfter(
  state: BudgetState,
  { rule, cost, at }: SpendRequest & { readonly rule: BudgetRule },
): number {
  if (rule.kind === 'tokens') return 0;
  const spent = rule.calls - callsLeft(state, rule, at);
  return Math.round(((cost * dayMs) / rule.calls) * (spent / rule.calls));
}

/** When more becomes available; null if nothing does. */
export function resetsAt(state: BudgetState, rule: BudgetRule, at: number): number | null {
  if (rule.kind === 'tokens') {
    const tokens = knownTokens(state, at);
    if (tokens === null || tokens.perMinute <= 0) return null;
    const next = levelAt(tokens, at) + 1;
    return next > capacityOf(tokens) ? null : reachesAt(tokens, next);
  }
  const oldest = state.hours.find(([hour]) => isCounted(hour, at));
  return oldest ? countedUntil(oldest[0]) : null;
}

function isCounted(hour: number, at: number): boolean {
  return countedUntil(hour) > at && hour * hourMs <= at + aheadMsMax;
}

/** When the calls of an hour no longer count: 24 hours after the last of them may have arrived. */
function countedUntil(hour: number): number {
  return (hour + 1) * hourMs + arrivalMsMax + dayMs;
}

/** When calls that do not fit now will; in a day if they never do, to check again. */
function fitsAt(
  state: BudgetState,
  { rule, cost, at }: SpendRequest & { readonly rule: BudgetRule },
): number {
  if (rule.kind === 'tokens') {
    const { tokens } = state;
    // More than is left, so it fits into the capacity only if tokens are added.
    const isReached = tokens !== null && cost <= capacityOf(tokens);
    return isReached ? reachesAt(tokens, cost) : at + dayMs;
  }
  let left = callsLeft(state, rule, at);
  for (const [hour, calls] of state.hours) {
    if (!isCounted(hour, at)) continue;
    left += calls;
    if (left >= cost) return countedUntil(hour);
  }
  return at + dayMs;
}

function withCalls(hours: BudgetState['hours'], hour: number, calls: number): BudgetState['hours'] {
  const known = hours.find(([each]) => each === hour)?.[1] ?? 0;
  const others = hours.filter(([each]) => each !== hour);
  return [...others, [hour, known + calls] as const].sort(([a], [b]) => a - b);
}

/** Ignores a level reported in the future, which is due to a wrong clock. */
function knownTokens({ tokens }: BudgetState, at: number): TokenLevel | null {
  return tokens !== null && tokens.at <= at + aheadMsMax ? tokens : null;
}

/** Tokens are added once a minute, at an unknown second. */
function levelAt(tokens: TokenLevel, at: number): number {
  const { left, perMinute } = tokens;
  return Math.min(capacityOf(tokens), left + minutesSince(tokens, at) * perMinute);
}

function minutesSince(tokens: TokenLevel, at: number): number {
  return Math.max(0, Math.floor((at - tokens.at) / minuteMs));
}

function capacityOf({ left, perMinute }: TokenLevel): number {
  return Math.max(left, bucketMinutes * perMinute);
}

function reachesAt({ left, at, perMinute }: TokenLevel, tokens: number): number {
  return at + Math.ceil((tokens - left) / perMinute) * minuteMs;
}
