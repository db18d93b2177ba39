/** Things of the caller that requests of tests are about, made when they are asked for. */
import { hashKey } from '../../src/accounts/api-keys.ts';
import { parseKey } from '../../src/domain/account/keys.ts';
import type { Store } from '../../src/store/store.ts';

/** Stands for a watchlist of the caller in a request. */
export const ownList = 900_001;

interface Asking {
  readonly store: Store;
  readonly key: string;
  readonly at: number;
}

/** A path with the IDs of things of the caller, which are made if there are none. */
export async function withOwnIds(path: string, asking: Asking): Promise<string> {
  if (!path.includes(`/${ownList}`)) return path;
  const accountId = await findAccount(asking).catch(() => null);
  if (accountId === null) return path;
  return path.replace(`/${ownList}`, `/${await ensureList(asking, accountId)}`);
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
