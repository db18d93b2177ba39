/** Details of the lots of the demo account: grades, places, tags, listings, notes. */

import { dayMs, formatDay, parseDay } from '../../src/kernel/time.ts';
import type { Grade } from '../../src/market/grades/grades.ts';
import type { LotDetails } from '../../src/portfolio/lots/lot-fields.ts';
import type { GivenLot } from '../../src/portfolio/lots/lots.ts';
import type { ValuePath } from './prices.ts';
import { Random } from './random.ts';
import type { World } from './world.ts';

/** A lot, with the value of its item over time. */
export interface PricedLot {
  readonly facts: GivenLot;
  readonly path: ValuePath;
}

type Weighted<T> = readonly { readonly weight: number; readonly of: T }[];

const sealedGrades: Weighted<Grade | null> = [
  { weight: 50, of: null },
  { weight: 25, of: 'perfect' },
  { weight: 17, of: 'light_wear' },
  { weight: 8, of: 'damaged_box' },
];

const usedGrades: Weighted<Grade | null> = [
  { weight: 20, of: null },
  { weight: 25, of: 'complete_boxed' },
  { weight: 35, of: 'complete' },
  { weight: 10, of: 'incomplete_96' },
  { weight: 10, of: 'incomplete_85' },
];

const notes: Readonly<Record<'sealed' | 'used' | 'minifig', readonly string[]>> = {
  sealed: [
    'Small dent in the top left corner. See the photos in the listing.',
    'Bought with a store coupon.\nReceipt is in the folder for this year.',
    'Keep until two years after retirement.',
    'Outer shipping box kept.',
  ],
  used: [
    'Built once, smoke-free home. Instructions in good shape.',
    'Two stickers are applied slightly off.',
    'One spare bag is missing, all other parts are counted.',
  ],
  minifig: ['Light scratches on the torso.', 'Original accessory replaced.', 'Never displayed.'],
};

const tags: readonly string[] = ['holiday', 'clearance', 'long term', 'bundle'];
const shops: readonly string[] = [
  'Brand store',
  'Toy store',
  'Online shop',
  'Flea market',
  'Estate sale',
];

const urlOf = (sourceId: string) => `https://shop.brickmark.example/listings/${sourceId}`;

/** Share of listed lots that have been for sale for a long time. */
const slowShare = 0.35;
const listedDays = { usual: { min: 2, max: 50 }, slow: { min: 120, max: 420 } };

/** Every lot has its own random numbers, so that one more changes no other. */
export function describeLot(world: World, { facts, path }: PricedLot): GivenLot {
  const random = new Random(world.seed, 'details', facts.sourceId);
  const isSealed = facts.condition === 'sealed';
  const isMinifig = facts.kind === 'minifig';
  const choices = isSealed ? sealedGrades : usedGrades;
  const grade = isMinifig ? null : random.pickWeighted(choices).of;
  const about = isMinifig ? notes.minifig : notes[facts.condition];
  const details: Partial<LotDetails> = {
    ...(grade && { grade }),
    place: placeOf(random, facts),
    boughtAt: random.pick(shops),
    ...(random.chance(0.35) && { notes: random.pick(about) }),
    ...(random.chance(0.5) && { tags: random.pick(tags) }),
    ...(random.chance(0.4) && { ownFields: ownFieldsOf(random, facts) }),
    ...(facts.status === 'listed' && listing(world, random, { facts, path })),
  };
  return { ...facts, ...details };
}

function placeOf(random: Random, { kind, condition }: GivenLot): string {
  if (kind === 'minifig') return `Drawer ${1 + random.below(3)}`;
  if (condition === 'used') return `Living room › Cabinet ${1 + random.below(2)}`;
  return `Basement › Shelf ${random.pick(['A', 'B', 'C'])} › Bin ${1 + random.below(6)}`;
}

function ownFieldsOf(random: Random, { purchaseDate }: GivenLot): string {
  const invoice = `${purchaseDate.slice(0, 4)}-${String(100 + random.below(900))}`;
  return JSON.stringify({
    ...(random.chance(0.3) && { 'Checked by': random.pick(['Ann', 'Lee']) }),
    Invoice: invoice,
  });
}

/** A listing after the purchase, around the value: slow ones ask for too much. */
function listing(
  world: World,
  random: Random,
  { facts, path }: PricedLot,
): Pick<LotDetails, 'askingCents' | 'listedAt' | 'listingUrl'> {
  const isSlow = random.chance(slowShare);
  const { min, max } = isSlow ? listedDays.slow : listedDays.usual;
  const bought = parseDay(facts.purchaseDate) ?? world.today;
  const listedAt = Math.max(bought, world.today - random.between(min, max) * dayMs);
  const log = facts.condition === 'sealed' ? path.sealedLog : path.usedLog;
  const value = Math.exp(log.call(path, world.today - dayMs));
  const times = isSlow ? random.between(1.15, 1.4) : random.between(0.95, 1.12);
  return {
    askingCents: Math.max(99, Math.round((value * times) / 100) * 100 - 1),
    listedAt: formatDay(Math.min(listedAt, world.today - dayMs)),
    listingUrl: urlOf(facts.sourceId),
  };
}
