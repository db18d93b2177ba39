/** The demo's watchlists: sets to buy before they retire, and a few minifigs. */

import type { NewWatchedItem } from '../../src/alerts/watchlists/watch-list.ts';
import { type ItemKind, itemKey } from '../../src/catalog/items/numbers.ts';
import { at } from '../../src/kernel/at.ts';
import { dayMs } from '../../src/kernel/time.ts';
import { demandOfSet } from './arrivals.ts';
import type { Catalog, MarketSet } from './catalog.ts';
import { minifigPath } from './prices.ts';
import { Random } from './random.ts';
import type { World } from './world.ts';

export interface SimulatedWatchList {
  readonly name: string;
  readonly items: readonly NewWatchedItem[];
}

const setsCount = 12;
const minifigsCount = 5;

/** Sets that retire within this time. */
const retiringMs = 240 * dayMs;
const msrpCentsMin = 3_000;

/** Targets relative to the retail price; null is no target. */
const targetShares = [0.8, 0.9, 1, null, 0.7, 0.95];
const notes = ['Buy two at this price.', '', '', 'Only in a clean box.'];

export function makeWatchLists(world: World, catalog: Catalog): SimulatedWatchList[] {
  const random = new Random(world.seed, 'watch lists');
  const wanted = catalog.sets
    .filter((set) => isRetiring(world, set))
    .map((set) => ({ set, sales: demandOfSet(world, set).sealedPerMonth }))
    .sort((a, b) => b.sales - a.sales || a.set.index - b.set.index)
    .slice(0, setsCount)
    .map(({ set }) => set);
  const minifigs = random.shuffle(catalog.minifigs).slice(0, minifigsCount);
  return [
    {
      name: 'Retiring soon',
      items: wanted.map(({ facts, msrpCents }, index) => {
        const share = targetShares[index % targetShares.length] ?? null;
        const targetCents = share === null ? null : Math.round((msrpCents * share) / 100) * 100;
        const note = at(notes, index % notes.length);
        return item('set', facts.number, { targetCents, note });
      }),
    },
    {
      name: 'Wanted minifigs',
      items: minifigs.map((minifig) => {
        const valueCents = Math.exp(minifigPath(world, minifig).usedLog(world.today));
        const targetCents = Math.max(50, Math.round((valueCents * 0.8) / 50) * 50);
        return item('minifig', minifig.facts.number, { targetCents, note: '' });
      }),
    },
  ];
}

function isRetiring(
  { today }: World,
  { releasedAt, retiredAt, msrpCents, isNeverSold }: MarketSet,
) {
  const isInShops = releasedAt < today && retiredAt > today && retiredAt < today + retiringMs;
  return isInShops && msrpCents >= msrpCentsMin && !isNeverSold;
}

function item(
  kind: ItemKind,
  number: string,
  facts: Pick<NewWatchedItem, 'targetCents' | 'note'>,
): NewWatchedItem {
  return { kind, key: itemKey(kind, number), number, ...facts };
}
