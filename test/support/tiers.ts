/**
 * The tiers of `src`: the only place that says what a path means to the rules of the project. A
 * file in no tier breaks every rule that asks, so that no rule overlooks a file that was moved.
 */

/**
 * Knowledge imports nothing but knowledge, and work no other work. Doors are built on work and on
 * what is `below` them; the client is distributed separately.
 */
export type Tier = 'knowledge' | 'work' | 'below' | 'door' | 'wiring';

/** Folders and files directly in `src`. */
const tiers: Readonly<Record<string, Tier>> = {
  contract: 'knowledge',
  domain: 'knowledge',
  store: 'work',
  ingest: 'work',
  valuation: 'work',
  publish: 'work',
  accounts: 'work',
  alerts: 'work',
  buying: 'work',
  delivery: 'work',
  sync: 'work',
  http: 'below',
  client: 'below',
  mcp: 'below',
  api: 'door',
  web: 'door',
  cli: 'door',
  'config.ts': 'wiring',
  'main.ts': 'wiring',
};

/** Where a file of `src` belongs: `part` is its folder, or its name if it is in none. */
export function placeOf(path: string): { readonly part: string; readonly tier: Tier } {
  const part = path.split('/')[1] ?? '';
  const tier = tiers[part];
  if (tier === undefined) throw new Error(`${path} is in no tier of test/support/tiers.ts.`);
  return { part, tier };
}
