/** The store that the examples of docs/formats.md are imported into. */
import type { Workplace } from './cli.ts';

/** What the examples take for granted: two sets, a minifig, a rate, and somebody's account. */
const ground = [
  {
    ...{ kind: 'set', set_number: '10482-1', title: 'Harbour Lighthouse', theme: 'Coastline' },
    ...{ msrp_usd: 119.99, upc: '673419000017', ean: '5702010000012' },
  },
  {
    ...{ kind: 'set', set_number: '10483-1', title: 'Harbour Office', theme: 'Coastline' },
    msrp_usd: 49.99,
  },
  { kind: 'minifig', minifig_number: 'cst001', name: 'Lighthouse Keeper' },
  { kind: 'fx', date: '2020-01-01', currency: 'EUR', usd_per_unit: 1.1 },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

/** Prepares a store for the examples. */
export async function layGround(place: Workplace): Promise<void> {
  const fed = await place.run(['import', 'feed', '-', '--strict'], { stdin: ground });
  const added = await place.run(['account', 'add', 'me@example.com']);
  if (fed.status + added.status > 0) throw new Error(fed.stderr + added.stderr);
}
