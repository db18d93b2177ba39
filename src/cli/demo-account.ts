/**
 * What the demo's account has besides what it bought and sold, so that no page of the demo is
 * empty: gifts, watch lists, alerts, a webhook, some weeks of calls, and imports.
 */
import { hashKey } from '../accounts/keys.ts';
import type { PlainKey } from '../domain/account/keys.ts';
import { type AlertRuleFacts, usualDailyCap } from '../domain/alerts/alert-rule.ts';
import { newWebhookSecret } from '../domain/delivery/signature.ts';
import { dayMs, hourMs } from '../domain/kernel/time.ts';
import { positionBefore } from '../domain/market/events.ts';
import type { ImportEntry } from '../domain/market/journal.ts';
import type { Store } from '../domain/store.ts';
import { demoGifts, demoWatchLists } from '../simulate/demo-world.ts';
import { Random } from '../simulate/random.ts';
import { findSealer } from './channel-key.ts';
import type { Context } from './command.ts';

/** The account, with its key in the clear, and the world that its lists are of. */
export interface DemoAccount {
  readonly email: string;
  readonly key: string;
  readonly seed: number;
  readonly today: number;
}

/** Gives the account everything that pages can show. */
export async function furnishAccount(
  store: Store,
  context: Context,
  account: DemoAccount,
): Promise<void> {
  const at = context.config.clock();
  const accountId = (await store.accounts.findAccount(account.email, at))?.id ?? 0;
  for (const outcome of await store.accounts.applyRows(demoGifts(account), at)) {
    if (outcome.kind === 'rejected') throw new Error(`The demo has no gift: ${outcome.reason}`);
  }
  await addWatchLists(store, { accountId, at, account });
  await addAlerts(store, { accountId, at });
  await addWebhook(store, context, { accountId, at });
  // A database that many machines share goes by its own clock: all calls would be today's.
  if (context.config.databaseUrl === null) await addUsage(store, account, at);
}

async function addWatchLists(
  { accounts }: Store,
  { accountId, at, account }: { accountId: number; at: number; account: DemoAccount },
): Promise<void> {
  for (const { name, items } of demoWatchLists(account)) {
    const made = await accounts.addWatchList(accountId, { name, at });
    if (typeof made === 'string') throw new Error(`The demo has no watchlist: ${made}.`);
    await accounts.saveWatchedItems(accountId, made.id, { items, at });
  }
}

/**
 * Alerts that watch the demo from before its latest events: what happened goes off when it is
 * served. They go out by e-mail, which the demo takes and sends nowhere.
 */
async function addAlerts(
  { accounts }: Store,
  { accountId, at }: { accountId: number; at: number },
): Promise<void> {
  const [list] = await accounts.listWatchLists(accountId);
  const nothing = { address: null, secret: null, subscription: null, position: null };
  const channel = await accounts.addChannel(accountId, {
    kind: 'email',
    name: 'Email',
    ...nothing,
    at,
  });
  if (typeof channel === 'string') throw new Error(`The demo has no email channel: ${channel}.`);
  const rules: readonly Pick<AlertRuleFacts, 'name' | 'scope' | 'condition'>[] = [
    {
      name: 'At my target price',
      scope: { kind: 'list', listId: list?.id ?? 0 },
      condition: { kind: 'price_target' },
    },
    {
      name: 'Deals',
      scope: { kind: 'all' },
      condition: { kind: 'price_of_max_buy', percent: 100 },
    },
    {
      name: 'Time to sell?',
      scope: { kind: 'holdings' },
      condition: { kind: 'margin', percent: 50 },
    },
  ];
  const position = positionBefore(at - hourMs);
  for (const about of rules) {
    const rhythm = { channelIds: [channel.id], repeatDays: null, digest: 'none' } as const;
    const rule = { ...about, ...rhythm, dailyCap: usualDailyCap };
    const made = await accounts.addAlertRule(accountId, { rule, told: [], position, at });
    if (typeof made === 'string') throw new Error(`The demo has no alert: ${made}.`);
  }
}

/** A webhook that was tried and turned off: the demo asks no host that it does not know. */
async function addWebhook(
  { accounts }: Store,
  { config, randomBytes }: Context,
  { accountId, at }: { accountId: number; at: number },
): Promise<void> {
  const { sealer } = findSealer(config, randomBytes);
  if (sealer === null) return;
  const address = 'https://hooks.brickmark.example/deals';
  const made = await accounts.addChannel(accountId, {
    kind: 'webhook',
    name: 'Deals to my shop',
    address: sealer.seal(address, { accountId, purpose: 'address' }),
    secret: sealer.seal(newWebhookSecret(randomBytes), { accountId, purpose: 'secret' }),
    subscription: { kinds: ['deal.open', 'deal.close'], scope: 'all' },
    position: positionBefore(at),
    at,
  });
  if (typeof made === 'string') throw new Error(`The demo has no webhook: ${made}.`);
  const delivery = await accounts.addTest(accountId, made.id, at);
  if (delivery !== null) {
    const tried = { triesBefore: 0, state: 'done', tries: 1, dueAt: at, triedAt: at } as const;
    const works = { stateReason: null, failingSince: null, failures: 0, retryAt: null };
    await accounts.saveTried([
      {
        id: made.id,
        kind: 'webhook',
        stateBefore: 'active',
        state: 'active',
        ...works,
        deliveries: [{ id: delivery, ...tried, answerStatus: 200, answer: 'OK' }],
      },
    ]);
  }
  await accounts.switchChannel(accountId, made.id, { isOn: false, at });
}

/** So many days of calls: more in the week than at its end, and growing. */
const usageDays = 30;

async function addUsage(
  { accounts }: Store,
  { key, seed }: DemoAccount,
  at: number,
): Promise<void> {
  const random = new Random(seed, 'usage');
  const keyHash = hashKey(key as PlainKey);
  for (let ago = usageDays; ago > 0; ago--) {
    const day = at - ago * dayMs;
    const isWeekend = new Date(day).getUTCDay() % 6 === 0;
    const cost = Math.round((isWeekend ? 90 : 340) * random.between(0.6, 1.4) * (1 - ago / 80));
    await accounts.admitGroup([{ keyHash, cost }], day);
  }
}

/** Writes down an import of the demo. */
export async function logImport(
  { market }: Store,
  file: { readonly file: string; readonly startedAt: number; readonly endedAt: number },
  counts: Pick<ImportEntry, 'added' | 'updated' | 'unchanged' | 'rejected'> &
    Partial<Pick<ImportEntry, 'rejects'>>,
): Promise<void> {
  const { startedAt, endedAt } = file;
  await market.logImport({
    format: 'feed',
    files: [file.file],
    startedAt,
    endedAt,
    gone: null,
    error: null,
    rejects: [],
    warned: 0,
    warnings: [],
    ...counts,
  });
}

/** Writes down an import of some days ago, of which not every row was taken. */
export async function logEarlierImport(store: Store, at: number): Promise<void> {
  const startedAt = at - 3 * dayMs - 5 * hourMs;
  await logImport(
    store,
    { file: 'flea-market.ndjson', startedAt, endedAt: startedAt + 1_400 },
    {
      added: 0,
      updated: 0,
      unchanged: 212,
      rejected: 2,
      rejects: [
        { where: 'flea-market.ndjson:88', reason: "'price' must be above 0, not 0" },
        { where: 'flea-market.ndjson:140', reason: "set '1O497' is not in the catalog" },
      ],
    },
  );
}
