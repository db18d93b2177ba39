/**
 * The alert loop: reads the event log, checks rules, and queues messages when they are due. Results
 * and progress are saved in one transaction, so after a crash the next process continues, and
 * nothing is reported twice or lost.
 */

import { type ItemKind, itemKey, itemKinds } from '../../catalog/items/numbers.ts';
import { type Clock, dayMs, secondMs } from '../../kernel/time.ts';
import type { LoggedEvent } from '../../market/events/events.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { AlertProgress, DueAlerts, Evaluated } from './alert-evaluation.ts';
import type { AlertWorkStore } from './alert-work.store.ts';
import { type CheckDeps, type CheckedItem, checkRules } from './check-rules.work.ts';
import { alertEvents } from './is-met.ts';
import { composeAlerts, type MessageContext } from './message.ts';

export interface AlertDeps extends CheckDeps {
  readonly market: CheckDeps['market'] & Pick<MarketReading, 'listEvents' | 'listKeysAfter'>;
  readonly accounts: AlertWorkStore;
  readonly clock: Clock;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Creates a token for an end link, with its hash. */
  readonly makeToken: MessageContext['makeToken'];
}

/** Events per step. */
const eventsAtOnce = 250;

/** Items per step. */
const itemsAtOnce = 250;

/** While the log has more events, messages wait this long so that they can include them. */
const patienceMs = secondMs;

/** The start of a daily check of all items. */
const lookStart = 'set ';

/**
 * One step; returns whether there is more to do at once. Reads nothing if there are no rules, and
 * writes nothing if nothing is due.
 */
export async function alertStep(deps: AlertDeps): Promise<boolean> {
  const progress = await deps.accounts.findAlertProgress();
  const { start } = progress;
  const hasMore = start !== null && (await readLog(deps, { ...progress, start }));
  if ((await sendDue(deps, hasMore ? patienceMs : 0)) || hasMore) return true;
  return start !== null && lookAround(deps, progress);
}

/** Queues messages that have been due for `dueMs`; returns whether there were any. */
async function sendDue(deps: AlertDeps, dueMs: number): Promise<boolean> {
  const { accounts, baseUrl, makeToken } = deps;
  const at = deps.clock();
  const { dueAt } = await accounts.findAlertProgress();
  if (dueAt === null || dueAt + dueMs > at) return false;
  const compose = (due: DueAlerts) => composeAlerts(due, { baseUrl, at, makeToken });
  return (await accounts.sendDueAlerts(at, compose)) > 0;
}

const nothing: Evaluated = { notifications: [], reported: [], ended: [], rules: [] };

/** Reads a page of the log; returns whether there is more. */
async function readLog(
  deps: AlertDeps,
  { position, until, start }: AlertProgress & { readonly start: number },
): Promise<boolean> {
  const { market, accounts } = deps;
  if (position === null) {
    return accounts.settleAlerts({ kind: 'log', from: null, to: start }, nothing);
  }
  // The log covers months: skip everything before the first rule was created.
  const after = Math.max(position, start);
  const page = await market.listEvents({
    after,
    kinds: alertEvents,
    items: null,
    limit: eventsAtOnce,
  });
  if ('oldest' in page) {
    await accounts.settleAlerts({ kind: 'log', from: position, to: page.oldest }, nothing);
    return true;
  }
  if (page.next === after) return false;
  // An interrupted step must end at the same position, because some rules have completed it.
  const to = until ?? page.next;
  const events = page.events.filter((event) => event.position <= to);
  const evaluated = await checkRules(deps, byItem(events), deps.clock());
  const isDone = await accounts.settleAlerts({ kind: 'log', from: position, to }, evaluated);
  return isDone && (page.hasMore || to < page.next);
}

/** Items with their events, oldest first. */
function byItem(events: readonly LoggedEvent[]): CheckedItem[] {
  const items = new Map<string, CheckedItem & { readonly events: LoggedEvent[] }>();
  for (const event of events) {
    const { itemKind: kind, number } = event;
    if (kind === null || number === null) continue;
    const key = itemKey(kind, number);
    const item = items.get(`${kind} ${key}`);
    if (item) item.events.push(event);
    else items.set(`${kind} ${key}`, { kind, key, events: [event] });
  }
  return [...items.values()];
}

/**
 * Checks all items once a day, because values drift without events and rules can report again. A
 * few items at a time, when there is nothing else to do.
 */
async function lookAround(deps: AlertDeps, { look }: AlertProgress): Promise<boolean> {
  const { market, accounts, clock } = deps;
  const at = clock();
  const after = look?.after ?? null;
  if (look === null || after === null) {
    if (look && at - look.at < dayMs) return false;
    // The matches of a rule are known when it is saved, so the first check is a day later.
    const to = { at, after: look && lookStart };
    return (
      (await accounts.settleAlerts({ kind: 'look', from: look, to }, nothing)) && look !== null
    );
  }
  const [kind, key] = splitName(after);
  const keys = await market.listKeysAfter(kind, key, itemsAtOnce);
  const items = keys.map((each) => ({ kind, key: each, events: null }));
  const evaluated = await checkRules(deps, items, at);
  const to = { at: look.at, after: nextName(kind, keys) };
  return accounts.settleAlerts({ kind: 'look', from: look, to }, evaluated);
}

function splitName(name: string): [ItemKind, string] {
  const end = name.indexOf(' ');
  return [name.slice(0, end) as ItemKind, name.slice(end + 1)];
}

/** The last item checked, or the start of the next kind; null: done. */
function nextName(kind: ItemKind, keys: readonly string[]): string | null {
  const last = keys.at(-1);
  if (keys.length === itemsAtOnce && last !== undefined) return `${kind} ${last}`;
  const next = itemKinds[itemKinds.indexOf(kind) + 1];
  return next === undefined ? null : `${next} `;
}
