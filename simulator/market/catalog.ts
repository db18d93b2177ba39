/** The simulated catalog: sets as sources describe them, with their true facts. */
import type { Box, SetFacts } from '../../src/catalog/items/catalog.ts';
import {
  dayMs,
  dayOf,
  formatDay,
  monthOf,
  monthStart,
  yearsBetween,
} from '../../src/kernel/time.ts';
import { eanOf, SetNumbers, upcOf } from './identifiers.ts';
import { type MarketMinifig, placeMinifigs } from './minifigs.ts';
import { setTitle } from './names.ts';
import { Random } from './random.ts';
import { type Theme, themes } from './themes.ts';
import { type World, yearMs } from './world.ts';

/** `facts` may omit what the other fields know. */
export interface MarketSet {
  readonly index: number;
  readonly theme: Theme;
  readonly facts: SetFacts;
  readonly msrpCents: number;
  readonly pieces: number;
  readonly releasedAt: number;
  /** End of production, possibly in the future. */
  readonly retiredAt: number;
  readonly weightLbs: number;
  /** Whether no sale is ever observed. */
  readonly isNeverSold: boolean;
}

export interface Catalog {
  readonly sets: readonly MarketSet[];
  readonly minifigs: readonly MarketMinifig[];
}

const catalogYears = 15;
const announcedMs = 95 * dayMs;
const retirementKnownMs = 90 * dayMs;
const shelfYears = { min: 1, max: 3 };
const msrpUsd = { median: 40, deviation: 0.9, min: 5, max: 850 };
const usdPerPiece = 0.11;
const variantChance = 0.03;

export function makeCatalog(world: World): Catalog {
  const numbers = new SetNumbers();
  const weighted = themes.map((theme) => ({
    theme,
    weight: new Random(world.seed, 'popularity', theme.index).logNormal(1, 0.5),
  }));
  const drafts: SetDraft[] = [];
  for (let index = 0; index < world.size.sets; index++) {
    const random = new Random(world.seed, 'set', index);
    const original = random.chance(variantChance) ? drafts[random.below(index)] : undefined;
    const theme = original?.theme ?? random.pickWeighted(weighted).theme;
    drafts.push(draftSet({ world, index, theme, random, numbers, original }));
  }
  const placed = placeMinifigs(world, drafts);
  const sets = drafts.map((draft) => finishSet(world, draft, placed.bySet[draft.index] ?? []));
  return { sets, minifigs: placed.minifigs };
}

/** A set without its minifigs. */
interface SetDraft extends Omit<MarketSet, 'facts'> {
  readonly number: string;
  readonly title: string;
  readonly minifigsCount: number;
}

function draftSet(start: {
  world: World;
  index: number;
  theme: Theme;
  random: Random;
  numbers: SetNumbers;
  original: SetDraft | undefined;
}): SetDraft {
  const { world, index, theme, random, numbers, original } = start;
  const someDay = world.today + announcedMs - random.fraction() * catalogYears * yearMs;
  const releasedAt = monthStart(monthOf(someDay));
  const shelfMs = random.between(shelfYears.min, shelfYears.max) * yearMs;
  const price = random.logNormal(msrpUsd.median, msrpUsd.deviation);
  const msrpCents = shopPrice(Math.min(msrpUsd.max, Math.max(msrpUsd.min, price)));
  const pieces = Math.ceil((msrpCents / 100 / usdPerPiece) * random.logNormal(1, 0.3));
  const ageYears = yearsBetween(releasedAt, world.today);
  const isLater = original !== undefined && releasedAt > original.releasedAt;
  const variant = isLater ? numbers.takeVariant(original.number) : null;
  return {
    index,
    theme,
    number: variant ?? numbers.take(random, { themeIndex: theme.index, ageYears }),
    title:
      variant && original
        ? `${original.title}, Second Edition`
        : setTitle(random, { realm: theme.realm, msrpCents }),
    msrpCents,
    pieces,
    releasedAt,
    retiredAt: dayOf(releasedAt + shelfMs) * dayMs,
    weightLbs: Math.round((0.2 + pieces * 0.0028) * random.between(0.9, 1.1) * 100) / 100,
    minifigsCount: Math.min(minifigsMax, Math.max(0, Math.round(random.normal(3, 2)))),
    isNeverSold: random.chance(0.02),
  };
}

const minifigsMax = 12;

/** Prices like 6.99, 34.99 and 149.99. */
function shopPrice(usd: number): number {
  const step = usd < 30 ? 1 : usd < 100 ? 5 : 10;
  return Math.max(5, Math.round(usd / step) * step) * 100 - 1;
}

function finishSet(world: World, draft: SetDraft, minifigs: readonly string[]): MarketSet {
  const { number, title, minifigsCount, ...rest } = draft;
  const random = new Random(world.seed, 'facts', draft.index);
  const listsMinifigs = random.chance(0.88);
  const facts: SetFacts = {
    number,
    title,
    theme: draft.theme.name,
    subtheme: pickSubtheme(random, draft.theme),
    pieces: random.chance(0.985) ? draft.pieces : null,
    year: new Date(draft.releasedAt).getUTCFullYear(),
    minifigs: listsMinifigs ? minifigs : null,
    minifigsCount: !listsMinifigs && random.chance(0.8) ? minifigsCount : null,
    upc: random.chance(0.85) ? upcOf(draft.index) : null,
    ean: random.chance(0.9) ? eanOf(draft.index) : null,
    msrpCents: random.chance(0.975) ? draft.msrpCents : null,
    releaseDate: formatDay(draft.releasedAt),
    retireDate: knownRetirement(world, draft),
    imageUrl: random.chance(0.95) ? `https://images.example.com/sets/${number}.jpg` : null,
    box: makeBox(random, draft),
    itemClass: 'set',
    isOnSale: null,
  };
  return { ...rest, facts: draft.isNeverSold && random.chance(0.4) ? withoutPrice(facts) : facts };
}

function pickSubtheme(random: Random, { subthemes }: Theme): string | null {
  return subthemes.length > 0 && random.chance(0.7) ? random.pick(subthemes) : null;
}

/** Retirements far in the future are unknown. */
function knownRetirement(world: World, draft: SetDraft): string | null {
  const lastDay = draft.retiredAt - dayMs;
  return lastDay < world.today + retirementKnownMs ? formatDay(lastDay) : null;
}

/** A giveaway without price, pieces and sales, which cannot be valued. */
function withoutPrice(facts: SetFacts): SetFacts {
  return { ...facts, msrpCents: null, pieces: null, box: null };
}

/** Null, or with null fields, if the source has no measurements. */
function makeBox(
  random: Random,
  set: { readonly pieces: number; readonly weightLbs: number },
): Box | null {
  if (random.chance(0.12)) return null;
  const cubicInches = 15 + set.pieces * 0.6;
  const unit = Math.cbrt(cubicInches / (boxShape.width * boxShape.height * boxShape.depth));
  const inches = (side: number) => Math.round(unit * side * random.between(0.94, 1.06) * 10) / 10;
  return {
    widthIn: inches(boxShape.width),
    heightIn: inches(boxShape.height),
    depthIn: inches(boxShape.depth),
    weightLbs: random.chance(0.96) ? set.weightLbs : null,
  };
}

/** Proportions of boxes, which are wide and flat. */
const boxShape = { width: 1.5, height: 1, depth: 0.3 };
