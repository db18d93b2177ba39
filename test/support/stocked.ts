/** Fills the store of a workplace as commands would, without a process for each. */
import { createKey } from '../../src/accounts/keys/api-keys.work.ts';
import type { Plan } from '../../src/accounts/keys/quota.ts';
import { hashPassword } from '../../src/accounts/sign-in/password-hash.ts';
import { readConfig } from '../../src/config.ts';
import { valueEngine } from '../../src/market/values/engine.ts';
import { makePublisher } from '../../src/publish/publisher.work.ts';
import { anAccount } from './builders.ts';
import { makeWorkplace, type Workplace } from './cli.ts';
import { keepStore, type OpenStore, openTestStore } from './engines.ts';
import { lowestCost } from './passwords.ts';
import { builtInTables } from './publish-settings.ts';
import { type FeedLine, importFeed } from './stored-world.ts';

export interface Stock {
  /** Accounts; those with an allowance get a key. */
  readonly accounts?: readonly {
    readonly email: string;
    readonly plan: Plan;
    readonly password?: string;
    readonly allowance?: number;
  }[];
  /** Feed lines to import and publish. */
  readonly lines: readonly FeedLine[];
}

/** Returns the keys of the accounts that have one, in order. */
export async function stock(place: Workplace, { accounts = [], lines }: Stock): Promise<string[]> {
  const { clock, retailerNames } = readConfig(await place.env());
  const store = await openTestStore(place.data);
  const keys: string[] = [];
  try {
    for (const { allowance, password, ...facts } of accounts) {
      const hash = password === undefined ? null : await hashPassword(password, lowestCost);
      await store.accounts.addAccount(anAccount({ ...facts, passwordHash: hash, at: clock() }));
      if (allowance === undefined) continue;
      const options = { email: facts.email, name: 'Test', allowance, expiresAt: null, at: clock() };
      const made = await createKey(store.accounts, options, (count) =>
        crypto.getRandomValues(new Uint8Array(count)),
      );
      if ('refusal' in made) throw new Error(made.refusal);
      keys.push(made.key);
    }
    const { rejects } = await importFeed(store, lines, clock);
    if (rejects.length > 0) throw new Error(JSON.stringify(rejects));
    const settings = { engine: valueEngine, retailerNames, findTables: () => builtInTables };
    await makePublisher(store.market, settings, clock).publishStale();
    return keys;
  } finally {
    await store.close();
  }
}

/**
 * Fills a store once, on first use. The result copies it to a new workplace, which is faster than
 * filling it again; all copies have the same keys.
 */
export function prepareStock(wanted: Stock): (place: Workplace) => Promise<string[]> {
  let made: Promise<Prepared> | null = null;
  return async ({ data }) => {
    made ??= prepare(wanted);
    const { keys, openCopy } = await made;
    const store = await openCopy(data);
    await store.close();
    return [...keys];
  };
}

interface Prepared {
  readonly keys: readonly string[];
  readonly openCopy: OpenStore;
}

async function prepare(wanted: Stock): Promise<Prepared> {
  const place = makeWorkplace();
  const keys = await stock(place, wanted);
  const openCopy = await keepStore(place.data);
  await place.close();
  return { keys, openCopy };
}
