/**
 * The work behind alerts: reads the log, tells what rules wait for, and has messages sent when they
 * are due. What was done and how far it went is kept together, so that a process that is killed at
 * any moment is taken up by the next one, and nothing is told twice or never.
 */
import type { AlertProgress, AlertWorkStore, DueAlerts } from '../domain/alerts/alert-store.ts';
import { alertEvents } from '../domain/alerts/is-met.ts';
import { composeAlerts, type MessageTools } from '../domain/alerts/message.ts';
import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { type Clock, dayMs, secondMs } from '../domain/kernel/time.ts';
import type { LoggedEvent } from '../domain/market/events.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import { type EvaluateDeps, evaluate, type LookedAt } from './evaluate.ts';

/** What the work needs. */
export interface AlertDeps extends EvaluateDeps {
  readonly market: EvaluateDeps['market'] & Pick<MarketReading, 'listEvents' | 'listKeysAfter'>;
  readonly accounts: AlertWorkStore;
  readonly clock: Clock;
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  /** A new token for a link that ends a rule, and its hash. */
  readonly makeToken: MessageTools['makeToken'];
}

/** Events that are gone through in one go. */
const eventsAtOnce = 250;

/** Items that are looked at in one go. */
const itemsAtOnce = 250;

/** While there is more to read, messages wait this long for what else they may tell of. */
const patienceMs = secondMs;

/** Where a look at everything begins. */
const lookStart = 'set ';

const kindsInOrder: readonly ItemKind[] = ['set', 'minifig'];

/**
 * One step of the work; whether there is more to do at once. Without any rule nothing is read, and
 * while nothing is due nothing is written.
 */
export async function alertStep(deps: AlertDeps): Promise<boolean> {
  const progress = await deps.accounts.findAlertProgress();
  const { start } = progress;
  const hasMore = start !== null && (await readLog(deps, { ...progress, start }));
  if ((await sendDue(deps, hasMore ? patienceMs : 0)) || hasMore) return true;
  return start !== null && lookAround(deps, progress);
}

/** Has messages sent that have been due for so long; whether there were any. */
async function sendDue(deps: AlertDeps, dueMs: number): Promise<boolean> {
  const { accounts, baseUrl, makeToken } = deps;
  const at = deps.clock();
  const { dueAt } = await accounts.findAlertProgress();
  if (dueAt === null || dueAt + dueMs > at) return false;
  const compose = (due: DueAlerts) => composeAlerts(due, { baseUrl, at, makeToken });
  return (await accounts.sendDueAlerts(at, compose)) > 0;
}

/** Reads some of the log; whether there is more of it. */
async function readLog(
  deps: AlertDeps,
  { position, until, start }: AlertProgress & { readonly start: number },
): Promise<boolean> {
  const { market, accounts } = deps;
  const nothing = { notifications: [], told: [], untold: [], rules: [] };
  if (position === null) {
    return accounts.settleAlerts({ kind: 'log', from: null, to: start }, nothing);
  }
  // The log goes back for months: what happened before the first rule is left out.
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
  // A step that was interrupted ends where it would have ended: some rules have done it.
  const to = until ?? page.next;
  const events = page.events.filter((event) => event.position <= to);
  const evaluated = await evaluate(deps, byItem(events), deps.clock());
  const isDone = await accounts.settleAlerts({ kind: 'log', from: position, to }, evaluated);
  return isDone && (page.hasMore || to < page.next);
}

/** Each item with what happened to it, oldest first. */
function byItem(events: readonly LoggedEvent[]): LookedAt[] {
  const items = new Map<string, LookedAt & { readonly events: LoggedEvent[] }>();
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
 * Once a day everything is looked at: values drift without events, and rules may tell again. A few
 * items at a time, whenever nothing else is to be done.
 */
async function lookAround(deps: AlertDeps, { look }: AlertProgress): Promise<boolean> {
  const { market, accounts, clock } = deps;
  const at = clock();
  const after = look?.after ?? null;
  if (look === null || after === null) {
    if (look && at - look.at < dayMs) return false;
    // What rules hold for when they are saved is known: the first look is a day later.
    const to = { at, after: look && lookStart };
    const nothing = { notifications: [], told: [], untold: [], rules: [] };
    return (
      (await accounts.settleAlerts({ kind: 'look', from: look, to }, nothing)) && look !== null
    );
  }
  const [kind, key] = splitName(after);
  const keys = await market.listKeysAfter(kind, key, itemsAtOnce);
  const items = keys.map((each) => ({ kind, key: each, events: null }));
  const evaluated = await evaluate(deps, items, at);
  const to = { at: look.at, after: nextName(kind, keys) };
  return accounts.settleAlerts({ kind: 'look', from: look, to }, evaluated);
}

function splitName(name: string): [ItemKind, string] {
  const end = name.indexOf(' ');
  return [name.slice(0, end) as ItemKind, name.slice(end + 1)];
}

/** The last item that was looked at, or the beginning of the next kind; null: that was all. */
function nextName(kind: ItemKind, keys: readonly string[]): string | null {
  const last = keys.at(-1);
  if (keys.length === itemsAtOnce && last !== undefined) return `${kind} ${last}`;
  const next = kindsInOrder[kindsInOrder.indexOf(kind) + 1];
  return next === undefined ? null : `${next} `;
}
