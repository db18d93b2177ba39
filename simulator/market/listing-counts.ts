/** Units for sale on eBay and BrickLink: some months of the observed sales, for most sets. */

import { dayMs } from '../../src/kernel/time.ts';
import {
  type Channel,
  conditions,
  type ListingCount,
} from '../../src/market/source-rows/source-rows.ts';
import { demandOfSet } from './arrivals.ts';
import type { Catalog } from './catalog.ts';
import { Random } from './random.ts';
import type { World } from './world.ts';

/** Of the whole demand, of which sources observe about a fifth in the demo. */
const supplyMonths = { fixed: 0.16, bricklink: 0.3 } as const satisfies Partial<
  Record<Channel, number>
>;

/** Share of sets whose units are counted. */
const countedChance = 0.8;

export function* makeListingCounts(
  world: World,
  { sets }: Pick<Catalog, 'sets'>,
): Generator<ListingCount> {
  for (const set of sets) {
    const random = new Random(world.seed, 'units for sale', set.index);
    if (set.releasedAt > world.today || !random.chance(countedChance)) continue;
    const demand = demandOfSet(world, set);
    const observedAt = world.today - Math.ceil(random.between(0.1, 9) * dayMs);
    for (const condition of conditions) {
      const perMonth = condition === 'sealed' ? demand.sealedPerMonth : demand.usedPerMonth;
      for (const channel of ['fixed', 'bricklink'] as const) {
        yield {
          itemKind: 'set',
          itemKey: set.facts.number,
          condition,
          channel,
          observedAt,
          units: random.poisson(perMonth * supplyMonths[channel]),
          lowestCents: null,
          currency: 'USD',
        };
      }
    }
  }
}
