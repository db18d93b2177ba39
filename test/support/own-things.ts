/** Things of the caller that requests of tests are about, made when they are asked for. */
import { hashKey } from '../../src/accounts/keys/api-keys.work.ts';
import { parseKey } from '../../src/accounts/keys/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { testEncrypter } from './server-settings.ts';

/** Stands for a watchlist of the caller in a request. */
export const ownList = 900_001;

interface Asking {
  readonly store: Store;
  readonly key: string;
  readonly at: number;
}

/** Stands for a webhook of the caller. */
export const ownWebhook = 900_002;

/** A path with the IDs of things of the caller, which are made if there are none. */
export async function withOwnIds(path: string, asking: Asking): Promise<string> {
  const [asked] = path.match(ownThing) ?? [];
  const accountId = asked ? await findAccount(asking).catch(() => null) : null;
  if (accountId === null) return path;
  const ensure = asked === `/${ownList}` ? ensureList : ensureWebhook;
  return path.replace(ownThing, `/${await ensure(asking, accountId)}`);
}

const ownThing = new RegExp(`/(${ownList}|${ownWebhook})`);

/** Whether a path is about something of the caller. */
export function isOfOwnThing(path: string): boolean {
  return ownThing.test(path);
}

async function findAccount({ store, key, at }: Asking): Promise<number | null> {
  const plain = parseKey(key);
  if (!plain) return null;
  const { admissions } = await store.accounts.admitGroup(
    [{ keyHash: hashKey(plain), cost: 0 }],
    at,
  );
  return admissions[0]?.caller.accountId ?? null;
}

/** With one item. */
async function ensureList({ store: { accounts }, at }: Asking, accountId: number): Promise<number> {
  const [known] = await accounts.listWatchLists(accountId);
  const made = known ?? (await accounts.addWatchList(accountId, { name: 'Own', at }));
  if (typeof made !== 'object') throw new Error(made);
  const item = {
    kind: 'set',
    key: '75192',
    number: '75192',
    targetCents: 9950,
    note: 'x',
  } as const;
  await accounts.saveWatchedItems(accountId, made.id, { items: [item], at });
  return made.id;
}

async function ensureWebhook(
  { store: { accounts }, at }: Asking,
  accountId: number,
): Promise<number> {
  const [known] = (await accounts.listDeliveryChannels(accountId)).filter(
    ({ kind }) => kind === 'webhook',
  );
  const seal = (text: string, purpose: 'address' | 'secret') =>
    testEncrypter.encrypt(text, { accountId, purpose });
  const webhook = {
    kind: 'webhook',
    name: 'Own',
    address: seal('https://example.com/own', 'address'),
    secret: seal('whsec_', 'secret'),
    subscription: null,
    position: null,
    at,
  } as const;
  if (known) return known.id;
  // Webhooks are added on the Reseller plan, and stay when it ends.
  const owner = (await accounts.listAccounts(at)).find(({ id }) => id === accountId);
  if (owner) await accounts.setPlan(owner.email, 'reseller');
  const made = await accounts.addDeliveryChannel(accountId, webhook);
  if (owner) await accounts.setPlan(owner.email, owner.plan);
  if (typeof made !== 'object') throw new Error(made);
  return made.id;
}
