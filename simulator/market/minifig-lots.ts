/** Simulated lots of minifigs, bought loose. */

import { dayMs, formatDay } from '../../src/kernel/time.ts';
import { type BrickfolioFacts, lotDefaults } from '../../src/portfolio/lots/lots.ts';
import type { Catalog } from './catalog.ts';
import type { PricedLot } from './lot-details.ts';
import { minifigPath } from './prices.ts';
import { Random } from './random.ts';
import { type World, yearMs } from './world.ts';

export const minifigDrawer: BrickfolioFacts = {
  name: 'Minifig drawer',
  description: 'Loose minifigs, many from sets that were parted out.',
  isDefault: false,
};

const lotsCount = 14;
const buyingYears = 2;
const latestPurchaseMs = 10 * dayMs;

/** Minifigs of many sets are sold often, so most of these have a value. */
export function makeMinifigLots(world: World, { minifigs }: Catalog): PricedLot[] {
  const random = new Random(world.seed, 'minifig lots');
  const latest = world.today - latestPurchaseMs;
  const released = minifigs.filter(({ releasedAt }) => releasedAt < latest - 90 * dayMs);
  const common = released.toSorted((a, b) => b.setCount - a.setCount || a.index - b.index);
  const chosen = random.shuffle(common.slice(0, 6 * lotsCount)).slice(0, lotsCount);
  return chosen.map((minifig, index) => {
    const path = minifigPath(world, minifig);
    const from = Math.max(minifig.releasedAt, world.today - buyingYears * yearMs);
    const at = random.between(from, latest);
    const isNew = random.chance(0.2);
    const value = Math.exp(isNew ? path.sealedLog(at) : path.usedLog(at));
    return {
      path,
      facts: {
        ...lotDefaults,
        sourceId: `minifig-${index + 1}`,
        brickfolio: minifigDrawer.name,
        kind: 'minifig',
        number: minifig.facts.number,
        quantity: 1 + random.poisson(0.6),
        condition: isNew ? 'sealed' : 'used',
        priceCents: Math.max(25, Math.round(value * random.between(0.5, 0.95))),
        purchaseDate: formatDay(at),
        status: random.chance(0.4) ? 'listed' : 'owned',
      },
    };
  });
}
