/** The value of the parts of a set, as two marketplaces show it. */

import { dayMs } from '../../src/kernel/time.ts';
import { conditions, type PartOutValue } from '../../src/market/source-rows/source-rows.ts';
import type { Catalog } from './catalog.ts';
import { Random } from './random.ts';
import type { World } from './world.ts';

const sources = ['bricklink', 'brick_owl'] as const;

/** Of sets with fewer pieces, the parts are not worth the work. */
const piecesMin = 40;

/** Share of sets whose parts are looked up. */
const shownChance = 0.6;

/** Per part, in cents. */
const centsPerPart = { sealed: 14, used: 9 } as const;

export function* makePartOuts(
  world: World,
  { sets }: Pick<Catalog, 'sets'>,
): Generator<PartOutValue> {
  for (const { index, facts, releasedAt } of sets) {
    const random = new Random(world.seed, 'value of parts', index);
    const pieces = facts.pieces ?? 0;
    if (pieces < piecesMin || releasedAt > world.today || !random.chance(shownChance)) continue;
    const rarity = random.logNormal(1, 0.4);
    const lots = Math.max(1, Math.round(2.4 * pieces ** 0.7 * random.logNormal(1, 0.15)));
    for (const source of sources) {
      const observedAt = world.today - Math.ceil(random.between(0.1, 40) * dayMs);
      for (const condition of conditions) {
        const cents = centsPerPart[condition] * pieces * rarity * random.logNormal(1, 0.1);
        yield {
          setKey: facts.number,
          condition,
          source,
          observedAt,
          amountCents: Math.round(cents),
          currency: 'USD',
          lots: Math.min(lots, pieces),
          units: pieces,
        };
      }
    }
  }
}
