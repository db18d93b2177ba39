/** A box from an estate sale, with its asking price. */
import { type BoxForSale, boxLine } from '../../src/buying/boxes/box-text.ts';
import { demandOfSet } from './arrivals.ts';
import type { Catalog, MarketSet } from './catalog.ts';
import type { MarketMinifig } from './minifigs.ts';
import { minifigPath, setPath } from './prices.ts';
import { Random } from './random.ts';
import { type World, yearMs } from './world.ts';

const setsCount = { sealed: 4, used: 5 };
const minifigQuantities = [3, 1];
const minifigsLookedAt = 60;
const retiredYears = { min: 1, max: 9 };
const msrpCents = { min: 2_000, max: 20_000 };

/** Asking price relative to value, rounded to tens. */
const askShare = 0.5;

/** An illegible number on the lid. */
const unreadable = '1O497';

export function makeEstateBox(world: World, catalog: Catalog): BoxForSale {
  const random = new Random(world.seed, 'estate');
  const sets = random
    .shuffle(catalog.sets.filter((set) => isCollected(world, set)))
    .slice(0, setsCount.sealed + setsCount.used);
  const minifigs = dearest(world, random.shuffle(catalog.minifigs).slice(0, minifigsLookedAt));
  let valueCents = 0;
  const lines = sets.map((set, index) => {
    const isSealed = index < setsCount.sealed;
    // Two of the first one.
    const quantity = index === 0 ? 2 : 1;
    const path = setPath(world, set);
    const log = isSealed ? path.sealedLog(world.today) : path.usedLog(world.today);
    valueCents += quantity * Math.exp(log);
    const { number } = set.facts;
    return boxLine({ number, quantity, condition: isSealed ? 'sealed' : 'used' });
  });
  const figures = minifigs.map(({ facts: { number } }, index) =>
    boxLine({ number, quantity: minifigQuantities[index] ?? 1, condition: 'used' }),
  );
  const lid = boxLine({ number: unreadable, quantity: 1, condition: 'used' });
  return {
    text: [...lines, ...figures, lid].join('\n'),
    askCents: Math.round((valueCents * askShare) / 1_000) * 1_000,
  };
}

/** Retired sets at a medium price with sales. */
function isCollected(world: World, set: MarketSet): boolean {
  const years = (world.today - set.retiredAt) / yearMs;
  return (
    years > retiredYears.min &&
    years < retiredYears.max &&
    set.msrpCents > msrpCents.min &&
    set.msrpCents < msrpCents.max &&
    demandOfSet(world, set).sealedPerMonth > 1
  );
}

/** Collectors keep valuable minifigs. */
function dearest(world: World, minifigs: readonly MarketMinifig[]): MarketMinifig[] {
  return minifigs
    .map((minifig) => ({ minifig, log: minifigPath(world, minifig).usedLog(world.today) }))
    .sort((a, b) => b.log - a.log)
    .slice(0, minifigQuantities.length)
    .map(({ minifig }) => minifig);
}
