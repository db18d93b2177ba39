/** Simulated minifigs and the sets they are in. */
import type { MinifigFacts } from '../../src/catalog/items/catalog.ts';
import { minifigName } from './names.ts';
import { Random } from './random.ts';
import { type Theme, themes } from './themes.ts';
import { type World, yearMs } from './world.ts';

export interface MarketMinifig {
  readonly index: number;
  readonly theme: Theme;
  readonly facts: MinifigFacts;
  readonly releasedAt: number;
  /** Number of sets with it. */
  readonly setCount: number;
}

/** Numbers of minifigs by index of the set. */
export interface PlacedMinifigs {
  readonly minifigs: readonly MarketMinifig[];
  readonly bySet: readonly (readonly string[])[];
}

export interface SetWithRoom {
  readonly index: number;
  readonly theme: Theme;
  readonly releasedAt: number;
  readonly minifigsCount: number;
}

/** Only the latest minifigs of a theme are reused. */
const recentMax = 14;

/** Oldest set first; some minifigs are new, others are reused. */
export function placeMinifigs(world: World, sets: readonly SetWithRoom[]): PlacedMinifigs {
  const pool = new MinifigPool(world);
  const bySet: string[][] = sets.map(() => []);
  let slotsLeft = sets.reduce((sum, set) => sum + set.minifigsCount, 0);
  for (const set of [...sets].sort((a, b) => a.releasedAt - b.releasedAt || a.index - b.index)) {
    const random = new Random(world.seed, 'cast', set.index);
    const chosen = new Set<PooledMinifig>();
    for (let slot = 0; slot < set.minifigsCount; slot++) {
      const isNew = random.chance(pool.left / Math.max(1, slotsLeft--));
      const minifig = (isNew ? null : pool.reuse(set.theme, chosen, random)) ?? pool.add(set);
      if (minifig) chosen.add(minifig);
    }
    for (const minifig of chosen) minifig.setCount++;
    bySet[set.index] = [...chosen].map((minifig) => minifig.facts.number).sort();
  }
  pool.fill();
  return { minifigs: pool.minifigs, bySet };
}

interface PooledMinifig extends MarketMinifig {
  setCount: number;
}

class MinifigPool {
  readonly minifigs: PooledMinifig[] = [];
  private readonly byTheme = new Map<Theme, PooledMinifig[]>();

  constructor(private readonly world: World) {}

  get left(): number {
    return this.world.size.minifigs - this.minifigs.length;
  }

  /** Null if the world has enough minifigs. */
  add(origin: { readonly theme: Theme; readonly releasedAt: number }): PooledMinifig | null {
    if (this.left <= 0) return null;
    const { theme, releasedAt } = origin;
    const index = this.minifigs.length;
    const own = this.byTheme.get(theme) ?? [];
    const number = `${theme.code}${String(own.length + 1).padStart(4, '0')}`;
    const facts = describe(new Random(this.world.seed, 'minifig', index), {
      index,
      number,
      origin,
    });
    const minifig = { index, theme, facts, releasedAt, setCount: 0 };
    this.minifigs.push(minifig);
    own.push(minifig);
    this.byTheme.set(theme, own);
    return minifig;
  }

  /** One of the theme's latest that is not in the set yet; null if there is none. */
  reuse(theme: Theme, without: ReadonlySet<PooledMinifig>, random: Random): PooledMinifig | null {
    const recent = (this.byTheme.get(theme) ?? []).slice(-recentMax);
    const free = recent.filter((minifig) => !without.has(minifig));
    return free.length === 0 ? null : random.pick(free);
  }

  /** The remaining minifigs come in no set. */
  fill(): void {
    const random = new Random(this.world.seed, 'loose minifigs');
    while (this.left > 0) {
      const releasedAt = this.world.today - random.fraction() * this.world.size.years * yearMs;
      this.add({ theme: random.pick(themes), releasedAt });
    }
  }
}

function describe(
  random: Random,
  start: { index: number; number: string; origin: { theme: Theme; releasedAt: number } },
): MinifigFacts {
  const { index, number, origin } = start;
  const { name, color } = minifigName(random, origin.theme.realm);
  return {
    number,
    name,
    category: origin.theme.name,
    color,
    yearReleased: new Date(origin.releasedAt).getUTCFullYear(),
    imageUrl: random.chance(0.9) ? `https://images.example.com/minifigs/${number}.jpg` : null,
    aliases: random.chance(0.3) ? [`fig-${String(index + 1).padStart(6, '0')}`] : [],
  };
}
