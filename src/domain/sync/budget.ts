/**
 * How often a source may be called. A call is counted before it is made, so that one that never
 * ends is counted, too.
 */
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';

/** What a source allows. */
export type BudgetRule =
  /** So many calls in any 24 hours, whichever midnight the source goes by. */
  | { readonly kind: 'day'; readonly calls: number }
  /** A bucket that fills again, and whose level the source tells with every answer. */
  | { readonly kind: 'tokens' };

/** What was spent, as far as it still counts. */
export interface BudgetState {
  /** Calls by hour since 1970, oldest first. */
  readonly hours: readonly (readonly [hour: number, calls: number])[];
  /** What the source said last; null until it did. */
  readonly tokens: TokenLevel | null;
  /** What was allowed when calls were last counted; null: whatever is wanted. */
  readonly rule: BudgetRule | null;
}

/** The level of a bucket at an instant. */
export interface TokenLevel {
  readonly left: number;
  readonly at: number;
  readonly perMinute: number;
}

/** How many calls a cost stands for: whatever it takes in tokens, a call is one. */
export function callsOf(rule: BudgetRule | null, cost: number): number {
  return rule?.kind === 'tokens' ? 1 : cost;
}

/** Nothing was spent yet. */
export const unspent: BudgetState = { hours: [], tokens: null, rule: null };

/**
 * A call may reach its source so long after it was counted. It counts as if it came as late as
 * that, and as if it came at the end of its hour.
 */
const arrivalMsMax = 10 * minuteMs;

/** Hours so far ahead were counted by a clock that was wrong: they would count for too long. */
const aheadMsMax = dayMs;

/** A bucket holds what comes in during this time, or what it was said to hold. */
const bucketMinutes = 60;

/** What to spend, and when. Without a rule, calls are counted and never refused. */
export interface SpendRequest {
  readonly rule: BudgetRule | null;
  readonly cost: number;
  readonly at: number;
}

/** The budget after calls were counted, or when they fit into it. */
export type SpendResult =
  | { readonly isGranted: true; readonly after: BudgetState }
  | { readonly isGranted: false; readonly nextAt: number };

/** Counts calls, unless that would pass the budget. */
export function spend(before: BudgetState, { rule, cost, at }: SpendRequest): SpendResult {
  const counted = before.hours.filter(([hour]) => isCounted(hour, at));
  const left = rule === null ? null : leftOf(before, rule, at);
  if (rule !== null && left !== null && left < cost) {
    return { isGranted: false, nextAt: fitsAt(before, { rule, cost, at }) };
  }
  const hours = withCalls(counted, Math.floor(at / hourMs), cost);
  const tokens = withoutTokens(knownTokens(before, at), { cost, at });
  return { isGranted: true, after: { hours, tokens, rule } };
}

/** What is spent is taken from the level at the end of the last whole minute. */
function withoutTokens(
  tokens: TokenLevel | null,
  { cost, at }: Omit<SpendRequest, 'rule'>,
): TokenLevel | null {
  if (tokens === null) return null;
  const filledAt = tokens.at + minutesSince(tokens, at) * minuteMs;
  return { left: levelAt(tokens, at) - cost, at: filledAt, perMinute: tokens.perMinute };
}

/**
 * What is left of a budget at an instant: calls or tokens; null as long as nobody said how many
 * tokens there are.
 */
export function leftOf(state: BudgetState, rule: BudgetRule, at: number): number | null {
  if (rule.kind === 'tokens') {
    const tokens = knownTokens(state, at);
    return tokens && levelAt(tokens, at);
  }
  const spent = state.hours.reduce(
    (sum, [hour, calls]) => (isCounted(hour, at) ? sum + calls : sum),
    0,
  );
  return Math.max(0, rule.calls - spent);
}

/**
 * How long to rest after calls so that a budget lasts the day. As long as little of it is spent,
 * calls follow each other closely: whoever starts gets most of what matters within the hour. The
 * more is spent, the closer it comes to one call after the other all day long.
 */
export function restAfter(
  state: BudgetState,
  { rule, cost, at }: SpendRequest & { readonly rule: BudgetRule },
): number {
  if (rule.kind === 'tokens') return 0;
  const spent = rule.calls - (leftOf(state, rule, at) ?? 0);
  return Math.round(((cost * dayMs) / rule.calls) * (spent / rule.calls));
}

/** When there will be more left than at an instant; null when nothing comes back. */
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

/** When calls of an hour no longer count: 24 hours after the last of them can have arrived. */
function countedUntil(hour: number): number {
  return (hour + 1) * hourMs + arrivalMsMax + dayMs;
}

/** When calls that do not fit now will; what never fits is asked about again after a day. */
function fitsAt(
  state: BudgetState,
  { rule, cost, at }: SpendRequest & { readonly rule: BudgetRule },
): number {
  if (rule.kind === 'tokens') {
    const { tokens } = state;
    const isReached = tokens !== null && tokens.perMinute > 0 && cost <= capacityOf(tokens);
    return isReached ? reachesAt(tokens, cost) : at + dayMs;
  }
  let left = leftOf(state, rule, at) ?? 0;
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

/** What was said at an instant that has not come yet, by a clock that was wrong, is forgotten. */
function knownTokens({ tokens }: BudgetState, at: number): TokenLevel | null {
  return tokens !== null && tokens.at <= at + aheadMsMax ? tokens : null;
}

/** The level at an instant. Tokens come once a minute, at a moment that nobody tells. */
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

function reachesAt({ left, at, perMinute }: TokenLevel, wanted: number): number {
  return at + Math.ceil((wanted - left) / perMinute) * minuteMs;
}
