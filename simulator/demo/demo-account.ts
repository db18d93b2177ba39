/**
 * Fills the demo's account with gifts, watchlists, alerts, a webhook, usage and imports, so that no
 * page is empty.
 */
import { hashKey } from '../../src/accounts/keys/api-keys.work.ts';
import type { PlainKey } from '../../src/accounts/keys/keys.ts';
import { type AlertRuleFacts, usualDailyCap } from '../../src/alerts/conditions/alert-rule.ts';
import { newWebhookSecret } from '../../src/alerts/delivery/signature.ts';
import type { Context } from '../../src/cli/command.ts';
import { findEncrypter } from '../../src/cli/secret-file.ts';
import type { ImportEntry } from '../../src/ingest/runner/journal.ts';
import { dayMs, hourMs } from '../../src/kernel/time.ts';
import { positionBefore } from '../../src/market/events/events.ts';
import type { Store } from '../../src/store/store.ts';
import { type DemoWorld, demoGifts } from '../market/demo-world.ts';
import { Random } from '../market/random.ts';
import { makeWatchLists } from '../market/watch-lists.ts';

export interface DemoAccount {
  readonly email: string;
  readonly key: string;
  readonly demo: DemoWorld;
}

export async function furnishAccount(
  store: Store,
  context: Context,
  account: DemoAccount,
): Promise<void> {
  const at = context.config.clock();
  const accountId = (await store.accounts.findAccount(account.email, at))?.id ?? 0;
  const gifts = { rows: demoGifts(account.demo, account.email), isFile: true };
  for (const outcome of (await store.accounts.change(accountId, gifts, at)).outcomes) {
    if (outcome.kind === 'rejected') throw new Error(`The demo has no gift: ${outcome.reason}`);
  }
  await addWatchLists(store, { accountId, at, demo: account.demo });
  await addAlerts(store, { accountId, at });
  await addWebhook(store, context, { accountId, at });
  // A shared database uses its own clock, so all calls would be today's.
  if (context.config.databaseUrl === null) await addUsage(store, account, at);
}

async function addWatchLists(
  { accounts }: Store,
  { accountId, at, demo }: { accountId: number; at: number; demo: DemoWorld },
): Promise<void> {
  for (const { name, items } of makeWatchLists(demo.world, demo.catalog)) {
    const made = await accounts.addWatchList(accountId, { name, at });
    if (typeof made === 'string') throw new Error(`The demo has no watchlist: ${made}.`);
    await accounts.saveWatchedItems(accountId, made.id, { items, at });
  }
}

/**
 * Alerts created before the latest events, so that they trigger when the demo is served. Emails are
 * accepted and not sent.
 */
async function addAlerts(
  { accounts }: Store,
  { accountId, at }: { accountId: number; at: number },
): Promise<void> {
  const [list] = await accounts.listWatchLists(accountId);
  const nothing = { address: null, secret: null, subscription: null, position: null };
  const channel = await accounts.addDeliveryChannel(accountId, {
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
    const made = await accounts.addAlertRule(accountId, { rule, reported: [], position, at });
    if (typeof made === 'string') throw new Error(`The demo has no alert: ${made}.`);
  }
}

/** A disabled webhook with attempts: the demo contacts no unknown hosts. */
async function addWebhook(
  { accounts }: Store,
  { config, randomBytes }: Context,
  { accountId, at }: { accountId: number; at: number },
): Promise<void> {
  const { encrypter } = findEncrypter(config, randomBytes);
  if (encrypter === null) return;
  const address = 'https://hooks.brickmark.example/deals';
  const made = await accounts.addDeliveryChannel(accountId, {
    kind: 'webhook',
    name: 'Deals to my shop',
    address: encrypter.encrypt(address, { accountId, purpose: 'address' }),
    secret: encrypter.encrypt(newWebhookSecret(randomBytes), { accountId, purpose: 'secret' }),
    subscription: { kinds: ['deal.open', 'deal.close'], scope: 'all' },
    position: positionBefore(at),
    at,
  });
  if (typeof made === 'string') throw new Error(`The demo has no webhook: ${made}.`);
  const delivery = await accounts.addTest(accountId, made.id, at);
  if (typeof delivery === 'number') {
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
  await accounts.changeDeliveryChannel(accountId, made.id, { isOn: false, at });
}

/** Days with simulated API calls. */
const usageDays = 30;

async function addUsage(
  { accounts }: Store,
  { key, demo }: DemoAccount,
  at: number,
): Promise<void> {
  const random = new Random(demo.world.seed, 'usage');
  const keyHash = hashKey(key as PlainKey);
  for (let ago = usageDays; ago > 0; ago--) {
    const day = at - ago * dayMs;
    const isWeekend = new Date(day).getUTCDay() % 6 === 0;
    const cost = Math.round((isWeekend ? 90 : 340) * random.between(0.6, 1.4) * (1 - ago / 80));
    await accounts.admitGroup([{ keyHash, cost }], day);
  }
}

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

/** An earlier import with rejects. */
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
