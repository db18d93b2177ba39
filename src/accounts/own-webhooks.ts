/** Adds, changes and tests webhooks and other channels, for pages and the API. */
import type { Delivery } from '../domain/delivery/delivery.ts';
import type {
  ChannelChange,
  DeliveryChannel,
  Subscription,
} from '../domain/delivery/delivery-channel.ts';
import type { Encrypter } from '../domain/delivery/encryption.ts';
import { newWebhookSecret, oldSecretMs } from '../domain/delivery/signature.ts';
import type { AccountStore, MarketReading } from '../store/store.ts';
import { mayUseAlerts } from './attempt-limits.ts';

export interface ChannelDeps {
  readonly accounts: Pick<
    AccountStore,
    | 'countTry'
    | 'addChannel'
    | 'changeChannel'
    | 'switchChannel'
    | 'rotateSecret'
    | 'addTest'
    | 'listDeliveries'
  >;
  readonly market: Pick<MarketReading, 'listEvents'>;
  randomBytes(count: number): Uint8Array;
  sleep(ms: number): Promise<void>;
}

/** The owner of a channel, and when something is done to it. */
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
  readonly subscription: Subscription | null;
  readonly notices: DeliveryChannel['notices'];
  /** Whether a webhook with the same name is an error. */
  readonly isNameUnique?: boolean;
}

/** Returns the secret, which cannot be read again. */
export async function addWebhook(
  { accounts, market, randomBytes }: ChannelDeps,
  encrypter: Encrypter,
  { accountId, at }: Owner,
  { url, name, subscription, notices, isNameUnique = false }: WebhookInput,
) {
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) return 'too often';
  const secret = newWebhookSecret(randomBytes);
  const made = await accounts.addChannel(accountId, {
    kind: 'webhook',
    name,
    address: encrypter.encrypt(url, { accountId, purpose: 'address' }),
    secret: encrypter.encrypt(secret, { accountId, purpose: 'secret' }),
    subscription,
    position: subscription && (await findLatest(market)),
    notices,
    isNameUnique,
    at,
  });
  return typeof made === 'object' ? { ...made, secret } : made;
}

/** The latest position of the event log. */
export async function findLatest(market: ChannelDeps['market']): Promise<number> {
  const page = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
  return 'next' in page ? page.next : page.oldest;
}

/** Within the rate limit. */
export async function changeOwnChannel(
  { accounts, market }: Pick<ChannelDeps, 'accounts' | 'market'>,
  { accountId, channelId, at }: OwnChannel,
  change: Omit<ChannelChange, 'at' | 'position'>,
): Promise<'done' | 'too often' | 'missing'> {
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) return 'too often';
  const position = change.subscription && { position: await findLatest(market) };
  const isDone = await accounts.changeChannel(accountId, channelId, { ...change, ...position, at });
  return isDone ? 'done' : 'missing';
}

/** Turning a channel on sends at once what waits, so it is limited like sending again. */
export async function switchOwnChannel(
  { accounts }: Pick<ChannelDeps, 'accounts'>,
  { accountId, channelId, at }: OwnChannel,
  isOn: boolean,
): Promise<'done' | 'too often' | 'missing'> {
  if (isOn && !(await mayUseAlerts(accounts, 'resend', { accountId, at }))) return 'too often';
  const isDone = await accounts.switchChannel(accountId, channelId, { isOn, at });
  return isDone ? 'done' : 'missing';
}

/** Returns the new secret, which cannot be read again, and how long the old one is used too. */
export async function rotateOwnSecret(
  { accounts, randomBytes }: ChannelDeps,
  encrypter: Encrypter,
  { accountId, channelId, at }: OwnChannel,
) {
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) return 'too often';
  const plain = newWebhookSecret(randomBytes);
  const secret = encrypter.encrypt(plain, { accountId, purpose: 'secret' });
  const oldUntil = at + oldSecretMs;
  const isDone = await accounts.rotateSecret(accountId, channelId, { secret, oldUntil, at });
  return isDone ? { secret: plain, oldUntil } : 'missing';
}

/** How often the result of a test is polled, and the time between. */
const testWait = { polls: 16, ms: 250 } as const;

/** Sends a test and waits a few seconds for its result. */
export async function testOwnChannel(
  { accounts, sleep }: ChannelDeps,
  { accountId, channelId, at }: OwnChannel,
): Promise<Delivery | 'too often' | 'missing'> {
  if (!(await mayUseAlerts(accounts, 'test', { accountId, at }))) return 'too often';
  const id = await accounts.addTest(accountId, channelId, at);
  if (id === null) return 'missing';
  for (let poll = 0; ; poll++) {
    const test = await findDelivery(accounts, { accountId, channelId, id });
    if (!test) return 'missing';
    if (test.state !== 'waiting' || poll >= testWait.polls) return test;
    await sleep(testWait.ms);
  }
}

export async function findDelivery(
  accounts: Pick<AccountStore, 'listDeliveries'>,
  asked: { readonly accountId: number; readonly channelId: number; readonly id: number },
): Promise<Delivery | null> {
  const { accountId, channelId, id } = asked;
  const page = { before: id + 1, limit: 1 };
  const [found] = await accounts.listDeliveries(accountId, channelId, page);
  return found?.id === id ? found : null;
}
