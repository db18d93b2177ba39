/**
 * Adds, changes and tests webhooks and other channels, for pages and the API. Each action is
 * counted first and carried out later, so that the API can charge in between, and never charges
 * what is refused.
 */

import type { AccountRoomStore } from '../../accounts/accounts.store.ts';
import { mayChangeChannel, mayUseAlerts } from '../../accounts/sign-in/attempt-limits.work.ts';
import type { Encrypter } from '../../kernel/encryption.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { AlertRoomStore } from '../alerts.store.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { newWebhookSecret, oldSecretMs } from '../delivery/signature.ts';
import type { DeliveryChannel, DeliveryChannelChange, Subscription } from './delivery-channel.ts';
import type { Unusable } from './delivery-channels.store.ts';

export interface ChannelDeps {
  readonly accounts: Pick<
    AccountRoomStore & AlertRoomStore,
    | 'countTry'
    | 'addDeliveryChannel'
    | 'changeDeliveryChannel'
    | 'rotateSecret'
    | 'addTest'
    | 'listDeliveries'
  >;
  readonly market: Pick<MarketReading, 'listEvents'>;
  randomBytes(count: number): Uint8Array;
  sleep(ms: number): Promise<void>;
}

interface Owner {
  readonly accountId: number;
  readonly at: number;
}

interface OwnChannel extends Owner {
  readonly channelId: number;
}

export interface WebhookInput {
  readonly url: string;
  readonly name: string;
  readonly subscription: Subscription;
  readonly notices: DeliveryChannel['notices'];
  /** Whether a webhook with the same name is an error. */
  readonly isNameUnique?: boolean;
}

/**
 * An action that was counted within its limit and can be carried out; null: too many. A form passes
 * the store that remembers it.
 */
type Permitted<T> = Promise<
  ((store?: Pick<AlertRoomStore, 'addDeliveryChannel' | 'rotateSecret'>) => Promise<T>) | null
>;

type AddedWebhook =
  | { readonly id: number; readonly secret: string }
  | Exclude<Awaited<ReturnType<AlertRoomStore['addDeliveryChannel']>>, object>;

/** The result has the secret, which cannot be read again. */
export async function permitWebhook(
  { accounts, market, randomBytes }: ChannelDeps,
  encrypter: Encrypter,
  { accountId, at }: Owner,
  { url, name, subscription, notices, isNameUnique = false }: WebhookInput,
): Permitted<AddedWebhook> {
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) return null;
  return async (store = accounts) => {
    const secret = newWebhookSecret(randomBytes);
    const made = await store.addDeliveryChannel(accountId, {
      kind: 'webhook',
      name,
      address: encrypter.encrypt(url, { accountId, purpose: 'address' }),
      secret: encrypter.encrypt(secret, { accountId, purpose: 'secret' }),
      subscription,
      position: await findLatest(market),
      notices,
      isNameUnique,
      at,
    });
    return typeof made === 'object' ? { ...made, secret } : made;
  };
}

/** The latest position of the event log. */
export async function findLatest(market: ChannelDeps['market']): Promise<number> {
  const page = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
  return 'next' in page ? page.next : page.oldest;
}

export async function permitChange(
  { accounts, market }: Pick<ChannelDeps, 'accounts' | 'market'>,
  { accountId, id, state }: DeliveryChannel,
  change: Omit<DeliveryChannelChange, 'position'>,
): Permitted<'done' | Unusable> {
  const { at, isOn, ...edits } = change;
  const isEdited = Object.keys(edits).length > 0;
  const isTurnedOn = isOn === true && state !== 'active';
  const by = { accountId, at };
  if (!(await mayChangeChannel(accounts, { isEdited, isTurnedOn }, by))) return null;
  return async () => {
    const position = change.kinds && { position: await findLatest(market) };
    return accounts.changeDeliveryChannel(accountId, id, { ...change, ...position });
  };
}

/** The result has the new secret, which cannot be read again, and how long the old one is used. */
export async function permitRotation(
  { accounts, randomBytes }: ChannelDeps,
  encrypter: Encrypter,
  { accountId, channelId, at }: OwnChannel,
): Permitted<{ readonly secret: string; readonly oldUntil: number } | Unusable> {
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) return null;
  return async (store = accounts) => {
    const plain = newWebhookSecret(randomBytes);
    const secret = encrypter.encrypt(plain, { accountId, purpose: 'secret' });
    const oldUntil = at + oldSecretMs;
    const done = await store.rotateSecret(accountId, channelId, { secret, oldUntil, at });
    return done === 'done' ? { secret: plain, oldUntil } : done;
  };
}

/** How often the result of a test is polled, and the time between. */
const testWait = { polls: 16, ms: 250 } as const;

/** Sends a test and waits a few seconds for its result. */
export async function permitTest(
  { accounts, sleep }: ChannelDeps,
  { accountId, channelId, at }: OwnChannel,
): Permitted<Delivery | Unusable> {
  if (!(await mayUseAlerts(accounts, 'test', { accountId, at }))) return null;
  return async () => {
    const id = await accounts.addTest(accountId, channelId, at);
    if (typeof id === 'string') return id;
    for (let poll = 0; ; poll++) {
      const test = await findDelivery(accounts, { accountId, channelId, id });
      if (test?.state !== 'waiting' || poll >= testWait.polls) return test ?? 'missing';
      await sleep(testWait.ms);
    }
  };
}

export async function findDelivery(
  accounts: Pick<AlertRoomStore, 'listDeliveries'>,
  webhook: { readonly accountId: number; readonly channelId: number; readonly id: number },
): Promise<Delivery | null> {
  const { accountId, channelId, id } = webhook;
  const page = { before: id + 1, limit: 1 };
  const [found] = await accounts.listDeliveries(accountId, channelId, page);
  return found?.id === id ? found : null;
}
