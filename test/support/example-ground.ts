/** Prepares the store that the examples of docs/formats.md are imported into. */
import { anAccount } from './builders.ts';
import type { Workplace } from './cli.ts';
import { openTestStore } from './engines.ts';
import { readAt } from './read-options.ts';
import { importFeed } from './stored-world.ts';
import { weeklyEuros } from './weekly-rates.ts';

/** The data that the examples refer to. */
const ground = [
  {
    kind: 'set',
    set_number: '10482-1',
    title: 'Harbour Lighthouse',
    theme: 'Coastline',
    msrp_usd: 119.99,
    upc: '673419000017',
    ean: '5702010000012',
  },
  {
    kind: 'set',
    set_number: '10483-1',
    title: 'Harbour Office',
    theme: 'Coastline',
    msrp_usd: 49.99,
  },
  { kind: 'minifig', minifig_number: 'cst001', name: 'Lighthouse Keeper' },
  ...weeklyEuros,
];

export async function layGround({ data }: Workplace): Promise<void> {
  const store = await openTestStore(data);
  try {
    const fed = await importFeed(store, ground, () => readAt);
    if (fed.added !== ground.length) throw new Error(JSON.stringify(fed.rejects));
    const account = anAccount({ email: 'me@example.com', plan: 'free', at: readAt });
    await store.accounts.addAccount(account);
  } finally {
    await store.close();
  }
}
